package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.RawSocket;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;

/** An echo server on raw non-blocking sockets and futures. */
public final class EchoSockets {
    private EchoSockets() {}

    /** Serves port 7000 until it is interrupted. */
    public static void main(String[] args) throws Exception {
        EventLoop.run(loop -> {
            var sockets = loop.sockets();
            try (var listening = sockets.openTcp(StandardProtocolFamily.INET)) {
                listening.bind(new InetSocketAddress("127.0.0.1", 7000));
                listening.listen(100);
                while (true) {
                    var accepted = sockets.sockAccept(listening).await();
                    loop.spawn(() -> echo(loop, accepted.socket()));
                }
            }
        });
    }

    private static void echo(EventLoop loop, RawSocket socket) throws Exception {
        var buffer = ByteBuffer.allocateDirect(64 * 1024);
        try (socket) {
            while (loop.sockets().sockRecvInto(socket, buffer).await() >= 0) {
                loop.sockets().sockSendAll(socket, buffer.flip()).await();
                buffer.clear();
            }
        }
    }
}
