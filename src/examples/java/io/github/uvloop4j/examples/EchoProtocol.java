package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.Transport;
import java.nio.ByteBuffer;

/** An echo server in callbacks: the fastest style. */
public final class EchoProtocol implements Protocol {
    private Transport transport;

    @Override
    public void connectionMade(Transport made) {
        transport = made;
    }

    @Override
    public void dataReceived(ByteBuffer data) { // borrowed: valid during this call only
        transport.write(data);
    }

    /** Serves port 7000 until it is interrupted. */
    public static void main(String[] args) throws Exception {
        EventLoop.run(loop -> {
            var server = loop.net()
                    .createServer(EchoProtocol::new, "127.0.0.1", 7000)
                    .await();
            server.serveForever().await();
        });
    }
}
