package io.github.uvloop4j.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/** Makes sockets whose connections are the loop's. */
final class LoopSocketFactory extends SocketFactory {
    private final LoopIo io;

    LoopSocketFactory(LoopIo io) {
        this.io = io;
    }

    @Override
    public Socket createSocket() throws IOException {
        return new LoopSocket(io);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(InetSocketAddress.createUnresolved(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(InetSocketAddress.createUnresolved(host, port), new InetSocketAddress(localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    private Socket connected(InetSocketAddress target, @Nullable InetSocketAddress local) throws IOException {
        var socket = new LoopSocket(io);
        if (local != null) {
            socket.bind(local);
        }
        socket.connect(target);
        return socket;
    }
}
