package io.github.uvloop4j.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A listening socket whose backlog is full: whoever connects waits. */
final class FullBacklog implements AutoCloseable {
    private final ServerSocket listening;
    private final List<Socket> fillers = new ArrayList<>();

    FullBacklog(String address, int port) throws Exception {
        listening = new ServerSocket(port, 1, InetAddress.ofLiteral(address));
        int connected = 0;
        int refused = 0;
        for (int i = 0; i < 16; i++) {
            var socket = new Socket();
            fillers.add(socket);
            try {
                socket.connect(listening.getLocalSocketAddress(), 50);
                connected++;
                refused = 0;
            } catch (SocketTimeoutException full) {
                // Two fit. With fewer the machine may only have been slow, once.
                if (connected >= 2 || ++refused == 3) {
                    return;
                }
            }
        }
        throw new AssertionError("the backlog does not fill");
    }

    int port() {
        return listening.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        for (var socket : fillers) {
            socket.close();
        }
        listening.close();
    }
}
