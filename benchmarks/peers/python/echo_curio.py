"""Echo on curio: a task per connection, on sockets or on streams."""

import curio
import curio.io
import curio.network

import peer

READ_SIZES = {"sockets": 1_000_000, "streams": 102_400}


async def echo_socket(connection, _):
    peer.no_delay(connection)
    try:
        while data := await connection.recv(READ_SIZES["sockets"]):
            await connection.sendall(data)
    except ConnectionError:
        pass


async def echo_stream(connection, _):
    peer.no_delay(connection)
    try:
        async with connection.as_stream() as stream:
            while data := await stream.read(READ_SIZES["streams"]):
                await stream.write(data)
    except ConnectionError:
        pass


async def serve(args):
    listener = peer.listening_socket(args.addr)
    server = curio.io.Socket(listener)
    peer.announce(listener)
    await curio.network.run_server(server, echo_socket if args.mode == "sockets" else echo_stream)


def main():
    args = peer.options(("sockets", "streams"), lambda _: [f"curio {curio.__version__}"])
    curio.run(serve, args)


main()
