"""Echo on curio: a task per connection, on sockets or on streams."""

import functools

import curio
import curio.io
import curio.network

import peer

STREAM_READ_SIZE = 102_400


async def echo_socket(read_size, connection, _):
    peer.no_delay(connection)
    try:
        while data := await connection.recv(read_size):
            await connection.sendall(data)
    except ConnectionError:
        pass


async def echo_stream(connection, _):
    peer.no_delay(connection)
    try:
        async with connection.as_stream() as stream:
            while data := await stream.read(STREAM_READ_SIZE):
                await stream.write(data)
    except ConnectionError:
        pass


async def serve(args):
    listener = peer.listening_socket(args.addr)
    server = curio.io.Socket(listener)
    peer.announce(listener)
    sockets = functools.partial(echo_socket, args.read_size)
    await curio.network.run_server(server, sockets if args.mode == "sockets" else echo_stream)


def main():
    args = peer.options(("sockets", "streams"), lambda _: [f"curio {curio.__version__}"])
    curio.run(serve, args)


main()
