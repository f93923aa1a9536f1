package io.github.uvloop4j.transport;

import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.tls.ClientTls;
import io.github.uvloop4j.tls.ServerTls;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Random;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Two engines whose records go to each other by hand, without sockets; long steps run at once. */
final class TlsPair {
    final TlsBuffers buffers = new TlsBuffers(256 * 1024);
    final Side client;
    final Side server;

    /** One engine, and what became of it. */
    static final class Side implements TlsEngine.Owner {
        final String name;
        final ArrayDeque<byte[]> out = new ArrayDeque<>();
        final ByteArrayOutputStream received = new ByteArrayOutputStream();

        @Nullable
        TlsEngine engine;

        boolean established;
        boolean peerClosed;
        boolean read = true;
        int deliveries;

        @Nullable
        SSLException failure;

        @Nullable
        Runnable onReceived;

        Side(String name) {
            this.name = name;
        }

        TlsEngine engine() {
            return Objects.requireNonNull(engine);
        }

        /** Receives bytes in one to three pieces; nothing may come of it but what an owner is told. */
        void feed(byte[] records, Random random) {
            for (int at = 0; at < records.length; ) {
                int count = random.nextInt(3) > 0 ? records.length - at : 1 + random.nextInt(records.length - at);
                engine().receive(ByteBuffer.wrap(records, at, count));
                if (established) {
                    engine().wanted(true);
                }
                at += count;
            }
        }

        void write(String text) {
            engine().write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }

        String text() {
            return received.toString(StandardCharsets.UTF_8);
        }

        @Override
        public void send(ByteBuffer records) {
            var copy = new byte[records.remaining()];
            records.get(copy);
            out.add(copy);
        }

        @Override
        public void received(ByteBuffer plain) {
            deliveries++;
            var copy = new byte[plain.remaining()];
            plain.get(copy);
            received.writeBytes(copy);
            if (onReceived != null) {
                onReceived.run();
            }
        }

        @Override
        public boolean isStuck() {
            return false;
        }

        @Override
        public void elsewhere(Runnable steps, TlsEngine.TasksEnd then) {
            Throwable failed = null;
            try {
                steps.run();
            } catch (Throwable error) {
                failed = error;
            }
            then.ended(failed);
        }

        @Override
        public void established() {
            established = true;
        }

        @Override
        public void peerClosed() {
            peerClosed = true;
        }

        @Override
        public void failed(SSLException error) {
            if (failure != null) {
                throw new AssertionError("failed twice", error);
            }
            failure = error;
        }
    }

    TlsPair(ClientTls clientTls, ServerTls serverTls) {
        client = new Side("client");
        server = new Side("server");
        client.engine = new TlsEngine(buffers, client, clientTls.engine("localhost", 1));
        server.engine = new TlsEngine(buffers, server, serverTls);
    }

    TlsPair() {
        this(TestTls.client(), TestTls.server());
    }

    /** Begins, and carries records until both are silent. */
    TlsPair connect() {
        server.engine().begin();
        client.engine().begin();
        carry();
        return this;
    }

    /** Carries records until both are silent. */
    void carry() {
        for (int round = 0; round < 1000; round++) {
            open(client);
            open(server);
            boolean moved = move(client, server);
            moved |= move(server, client);
            if (!moved) {
                return;
            }
        }
        throw new AssertionError("they do not come to an end");
    }

    private static void open(Side side) {
        if (side.established && side.read) {
            side.engine().wanted(true);
        }
    }

    private static boolean move(Side from, Side to) {
        var records = from.out.poll();
        if (records == null) {
            return false;
        }
        to.engine().receive(ByteBuffer.wrap(records));
        return true;
    }
}
