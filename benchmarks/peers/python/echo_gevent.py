"""Echo on gevent: a greenlet per connection."""

import functools

import gevent
import gevent.core
import gevent.server
import gevent.socket

import peer


def echo(read_size, connection, _):
    try:
        peer.no_delay(connection)
        while data := connection.recv(read_size):
            connection.sendall(data)
    except OSError:
        pass


def versions(_):
    return [f"gevent {gevent.__version__}", gevent.core.get_version()]


def main():
    args = peer.options(("sockets",), versions)
    listener = peer.listening_socket(args.addr)
    handler = functools.partial(echo, args.read_size)
    server = gevent.server.StreamServer(gevent.socket.socket(fileno=listener.detach()), handler)
    server.start()
    peer.announce(server.socket)
    server.serve_forever()


main()
