package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.concurrent.TaskLocal;
import io.github.uvloop4j.net.BufferedProtocol;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.testing.Internet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scoped values that are declared to the loop, and the contexts of protocols. */
@Timeout(60)
class PropagateTest {
    private static final ScopedValue<String> USER = ScopedValue.newInstance();
    private static final ScopedValue<String> OTHER = ScopedValue.newInstance();
    private static final TaskLocal<String> WHO = TaskLocal.of("who", "nobody");

    private final List<String> seen = new ArrayList<>();

    private void look(String what) {
        seen.add(what + ' ' + USER.orElse("none") + ' ' + WHO.get());
    }

    private static EventLoop loop() {
        return EventLoop.create(LoopOptions.defaults().propagate(USER));
    }

    @Test
    @Tag("cells")
    void tasksAndCallbacksGetWhatWasBoundWhereTheyWereMade() throws Exception {
        try (var loop = loop()) {
            loop.run(() -> {
                var gate = loop.<@Nullable Void>createFuture();
                var tasks = ScopedValue.where(USER, "ann").call(() -> {
                    loop.callSoon(() -> look("soon"));
                    gate.whenDone((value, error) -> look("future"));
                    return List.of(
                            loop.spawn(() -> {
                                look("task");
                                loop.spawn(() -> look("grandchild")).await();
                            }),
                            loop.submit(() -> look("submitted")));
                });
                look("outside");
                gate.complete(null);
                for (var task : tasks) {
                    task.await();
                }
            });
        }
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "outside none nobody",
                        "soon ann nobody",
                        "future ann nobody",
                        "task ann nobody",
                        "submitted ann nobody",
                        "grandchild ann nobody");
    }

    @Test
    void whatIsNotDeclaredIsNotPassedOn() throws Exception {
        try (var loop = loop()) {
            loop.run(() -> ScopedValue.where(OTHER, "x")
                    .call(() -> loop.spawn(() -> assertThat(OTHER.isBound()).isFalse())
                            .await()));
        }
    }

    private abstract static class Base {
        final PropagateTest test;

        Base(PropagateTest test) {
            this.test = test;
        }

        public void connectionMade(Transport transport) {
            test.look("made");
            WHO.set("protocol");
        }

        public boolean eofReceived() {
            test.look("eof");
            return false;
        }
    }

    private static final class Plain extends Base implements Protocol {
        Plain(PropagateTest test) {
            super(test);
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            test.look("data");
        }

        @Override
        public void connectionLost(@Nullable Throwable cause) {
            test.look("lost");
        }
    }

    private static final class Buffered extends Base implements BufferedProtocol {
        private final ByteBuffer buffer = ByteBuffer.allocate(64);

        Buffered(PropagateTest test) {
            super(test);
        }

        @Override
        public ByteBuffer getBuffer(int sizeHint) {
            return buffer;
        }

        @Override
        public void bufferUpdated(int count) {
            test.look("data");
        }

        @Override
        public void connectionLost(@Nullable Throwable cause) {
            test.look("lost");
        }
    }

    private void talk(EventLoop loop, int port) throws Exception {
        try (var client = loop.net().openConnection("127.0.0.1", port)) {
            client.write("x");
            client.shutdownOutput();
            client.readAll();
        }
    }

    private void serve(boolean buffered) throws Exception {
        try (var loop = loop()) {
            loop.run(() -> {
                WHO.set("server");
                var server = ScopedValue.where(USER, "ann")
                        .call(() -> loop.net()
                                .createServer(
                                        () -> {
                                            look("factory");
                                            return buffered ? new Buffered(this) : new Plain(this);
                                        },
                                        "127.0.0.1",
                                        0)
                                .await());
                WHO.set("other");
                talk(loop, Internet.port(server.addresses().getFirst()));
                server.close();
                server.waitClosed().await();
            });
        }
        assertThat(seen)
                .containsExactly(
                        "factory ann server",
                        "made ann server",
                        "data ann protocol",
                        "eof ann protocol",
                        "lost ann protocol");
    }

    @Test
    void protocolsRunInTheContextOfTheirServer() throws Exception {
        serve(false);
    }

    @Test
    void bufferedProtocolsToo() throws Exception {
        serve(true);
    }

    @Test
    void aClientsProtocolRunsInTheContextOfItsMaker() throws Exception {
        try (var loop = loop()) {
            loop.run(() -> {
                try (var listener = loop.net().listen("127.0.0.1", 0)) {
                    var connected = WHO.where(
                            "client",
                            () -> loop.net()
                                    .createConnection(() -> new Plain(this), "127.0.0.1", listener.port())
                                    .await());
                    try (var peer = listener.accept()) {
                        peer.write("x");
                    }
                    while (seen.size() < 4) {
                        loop.<@Nullable Void>submit(() -> {}).await();
                    }
                    assertThat(connected.transport().protocol()).isInstanceOf(Plain.class);
                }
            });
        }
        assertThat(seen)
                .containsExactly("made none client", "data none protocol", "eof none protocol", "lost none protocol");
    }

    @Test
    void workersGetItToo() throws Exception {
        try (var loop = loop()) {
            loop.run(() -> {
                WHO.set("caller");
                assertThat(ScopedValue.where(USER, "ann")
                                .call(() -> loop.runInExecutor(() -> USER.orElse("none") + ' ' + WHO.get()))
                                .await())
                        .isEqualTo("ann caller");
            });
        }
    }

    @Test
    void nullIsRefused() {
        assertThatThrownBy(() -> LoopOptions.defaults().propagate((ScopedValue<?>) null))
                .isInstanceOf(NullPointerException.class);
    }
}
