"""Echo on gevent: a greenlet per connection."""

import gevent
import gevent.core
import gevent.server
import gevent.socket

import peer

READ_SIZE = 1_000_000


def echo(connection, _):
    try:
        peer.no_delay(connection)
        while data := connection.recv(READ_SIZE):
            connection.sendall(data)
    except OSError:
        pass


def versions(_):
    return [f"gevent {gevent.__version__}", gevent.core.get_version()]


def main():
    args = peer.options(("sockets",), versions)
    listener = peer.listening_socket(args.addr)
    server = gevent.server.StreamServer(gevent.socket.socket(fileno=listener.detach()), echo)
    server.start()
    peer.announce(server.socket)
    server.serve_forever()


main()
