package io.github.uvloop4j.net;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.Peers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;

/** What the compatibility kit of reactive streams needs of our publisher: an element is one byte. */
public final class FlowPublisherKit extends FlowPublisherVerification<ByteBuffer> {
    private final EventLoop loop;

    FlowPublisherKit(EventLoop loop, TestEnvironment environment) {
        super(environment);
        this.loop = loop;
    }

    private static void send(OutputStream out, long bytes) throws IOException {
        var block = new byte[8192];
        for (long left = bytes; left > 0; left -= block.length) {
            out.write(block, 0, (int) Math.min(left, block.length));
        }
    }

    @Override
    public Flow.Publisher<ByteBuffer> createFlowPublisher(long elements) {
        try {
            var peer = Peers.server(socket -> {
                send(socket.getOutputStream(), elements);
                socket.shutdownOutput();
                return socket.getInputStream().read();
            });
            return loop.call(() -> Flows.publisher(loop.net().openConnection("127.0.0.1", peer.port()), 1));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** One that somebody has subscribed to already. */
    @Override
    public Flow.Publisher<ByteBuffer> createFailedFlowPublisher() {
        var publisher = createFlowPublisher(0);
        publisher.subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {}

            @Override
            public void onNext(ByteBuffer data) {}

            @Override
            public void onError(Throwable error) {}

            @Override
            public void onComplete() {}
        });
        return publisher;
    }
}
