"""Echo on asyncio, or on uvloop with --uvloop, in the modes that both can be written in."""

import asyncio
import socket

import peer

STREAM_READ_SIZE = 1_000_000
BUFFER_SIZE = 256 * 1024


class Echo(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        self.transport = None

    def data_received(self, data):
        self.transport.write(data)


class BufferedEcho(asyncio.BufferedProtocol):
    def connection_made(self, transport):
        self.transport = transport
        self.buffer = bytearray(BUFFER_SIZE)

    def connection_lost(self, error):
        self.transport = None

    def get_buffer(self, size_hint):
        return self.buffer

    def buffer_updated(self, count):
        # The transport may keep what it is given, so it gets bytes of its own.
        self.transport.write(self.buffer[:count])


class DatagramEcho(asyncio.DatagramProtocol):
    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, sender):
        self.transport.sendto(data, sender)


async def echo_stream(reader, writer):
    if connection := writer.get_extra_info("socket"):
        peer.no_delay(connection)
    try:
        while data := await reader.read(STREAM_READ_SIZE):
            writer.write(data)
    except ConnectionError:
        pass
    finally:
        writer.close()


async def echo_socket(loop, connection, read_size):
    with connection:
        peer.no_delay(connection)
        try:
            while data := await loop.sock_recv(connection, read_size):
                await loop.sock_sendall(connection, data)
        except ConnectionError:
            pass


async def accept_sockets(loop, listener, read_size):
    tasks = set()
    while True:
        connection, _ = await loop.sock_accept(listener)
        connection.setblocking(False)
        task = loop.create_task(echo_socket(loop, connection, read_size))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


async def serve(args):
    loop = asyncio.get_running_loop()
    if args.mode == "datagram":
        bound = peer.bound_socket(args.addr, socket.SOCK_DGRAM)
        await loop.create_datagram_endpoint(DatagramEcho, sock=bound)
        peer.announce(bound)
        await asyncio.Event().wait()
    tls = peer.tls_context(args)
    listener = peer.listening_socket(args.addr)
    if args.mode == "sockets":
        peer.announce(listener)
        await accept_sockets(loop, listener, args.read_size)
        return
    if args.mode == "streams":
        server = await asyncio.start_server(echo_stream, sock=listener, backlog=peer.BACKLOG, ssl=tls)
    else:
        protocol = BufferedEcho if args.mode == "buffered" else Echo
        server = await loop.create_server(protocol, sock=listener, backlog=peer.BACKLOG, ssl=tls)
    peer.announce(listener)
    await server.serve_forever()


def versions(args):
    if not args.uvloop:
        return []
    import uvloop
    import uvloop.loop

    packed = uvloop.loop.libuv_get_version()
    libuv = ".".join(str(packed >> shift & 0xFF) for shift in (16, 8, 0))
    return [f"uvloop {uvloop.__version__}", f"libuv {libuv}"]


def main():
    args = peer.options(("protocol", "streams", "sockets", "buffered", "datagram"), versions, uvloop=True)
    if args.uvloop:
        import uvloop

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(serve(args))


main()
