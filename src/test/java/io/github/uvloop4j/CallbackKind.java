package io.github.uvloop4j;

import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.BufferedProtocol;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.Peers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where an event loop calls user code, each with what it takes to get there. */
enum CallbackKind {
    CALL_SOON {
        @Override
        void begin(EventLoop loop, Consumer<@Nullable Transport> act) {
            loop.callSoon(() -> act.accept(null));
        }
    },
    CALL_LATER {
        @Override
        void begin(EventLoop loop, Consumer<@Nullable Transport> act) {
            loop.callLater(Duration.ofMillis(1), () -> act.accept(null));
        }
    },
    POST {
        @Override
        void begin(EventLoop loop, Consumer<@Nullable Transport> act) {
            Thread.ofPlatform().start(() -> loop.post(() -> act.accept(null)));
        }
    },
    FUTURE_CALLBACK {
        @Override
        void begin(EventLoop loop, Consumer<@Nullable Transport> act) {
            var future = loop.<Boolean>createFuture();
            future.whenDone((value, error) -> act.accept(null));
            future.complete(true);
        }
    },
    READER {
        @Override
        void begin(EventLoop loop, Consumer<@Nullable Transport> act) {
            int[] pair = Fds.pair();
            loop.sockets().addReader(pair[0], () -> {
                loop.sockets().removeReader(pair[0]);
                Fds.close(pair);
                act.accept(null);
            });
            Fds.write(pair[1], "x");
        }
    },
    WRITER {
        @Override
        void begin(EventLoop loop, Consumer<@Nullable Transport> act) {
            int[] pair = Fds.pair();
            loop.sockets().addWriter(pair[0], () -> {
                loop.sockets().removeWriter(pair[0]);
                Fds.close(pair);
                act.accept(null);
            });
        }
    },
    FACTORY,
    CONNECTION_MADE,
    DATA_RECEIVED,
    GET_BUFFER,
    BUFFER_UPDATED,
    PAUSE_WRITING,
    RESUME_WRITING,
    EOF_RECEIVED,
    CONNECTION_LOST;

    private static final int LARGE = 16_000_000;

    /** Brings about a callback in which the action is called, with the transport where there is one. */
    void begin(EventLoop loop, Consumer<@Nullable Transport> act) throws Exception {
        var full = new CountDownLatch(writesMuch() ? 1 : 0);
        var server = loop.net()
                .createServer(() -> protocol(act, full), "127.0.0.1", 0)
                .await();
        var address = server.address();
        Peers.client(address, socket -> {
            full.await();
            socket.getOutputStream().write(1);
            socket.shutdownOutput();
            return socket.getInputStream().readAllBytes().length;
        });
        loop.callLater(Duration.ofMillis(300), server::close);
    }

    private boolean writesMuch() {
        return this == PAUSE_WRITING || this == RESUME_WRITING;
    }

    private BaseProtocol protocol(Consumer<@Nullable Transport> act, CountDownLatch full) {
        if (this == FACTORY) {
            act.accept(null);
        }
        return this == GET_BUFFER || this == BUFFER_UPDATED ? new IntoBuffer(act) : new Plain(act, full);
    }

    private void reached(CallbackKind kind, Consumer<@Nullable Transport> act, @Nullable Transport transport) {
        if (this == kind) {
            act.accept(transport);
        }
    }

    private final class Plain implements Protocol {
        private final Consumer<@Nullable Transport> act;
        private final CountDownLatch full;
        private @Nullable Transport transport;

        Plain(Consumer<@Nullable Transport> act, CountDownLatch full) {
            this.act = act;
            this.full = full;
        }

        @Override
        public void connectionMade(Transport made) {
            transport = made;
            reached(CONNECTION_MADE, act, made);
            if (writesMuch()) {
                made.write(ByteBuffer.allocate(LARGE));
            }
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            reached(DATA_RECEIVED, act, transport);
        }

        @Override
        public boolean eofReceived() {
            reached(EOF_RECEIVED, act, transport);
            return false;
        }

        @Override
        public void pauseWriting() {
            full.countDown();
            reached(PAUSE_WRITING, act, transport);
        }

        @Override
        public void resumeWriting() {
            reached(RESUME_WRITING, act, transport);
        }

        @Override
        public void connectionLost(@Nullable Throwable cause) {
            reached(CONNECTION_LOST, act, transport);
        }
    }

    private final class IntoBuffer implements BufferedProtocol {
        private final Consumer<@Nullable Transport> act;
        private @Nullable Transport transport;

        IntoBuffer(Consumer<@Nullable Transport> act) {
            this.act = act;
        }

        @Override
        public void connectionMade(Transport made) {
            transport = made;
        }

        @Override
        public ByteBuffer getBuffer(int sizeHint) {
            reached(GET_BUFFER, act, transport);
            return ByteBuffer.allocateDirect(100);
        }

        @Override
        public void bufferUpdated(int count) {
            reached(BUFFER_UPDATED, act, transport);
        }
    }
}
