package io.github.uvloop4j.net;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.Peers;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;

/** What the compatibility kit of reactive streams needs of our subscriber. */
public final class FlowSubscriberKit extends FlowSubscriberBlackboxVerification<ByteBuffer> {
    private final EventLoop loop;

    FlowSubscriberKit(EventLoop loop, TestEnvironment environment) {
        super(environment);
        this.loop = loop;
    }

    @Override
    public Flow.Subscriber<ByteBuffer> createFlowSubscriber() {
        try {
            var peer = Peers.server(socket -> socket.getInputStream().readAllBytes());
            return loop.call(() -> Flows.subscriber(loop.net().openConnection("127.0.0.1", peer.port())));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public ByteBuffer createElement(int element) {
        return ByteBuffer.wrap(new byte[] {(byte) element});
    }
}
