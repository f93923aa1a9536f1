package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.Accepted;
import io.github.uvloop4j.net.DatagramOptions;
import io.github.uvloop4j.net.DatagramProtocol;
import io.github.uvloop4j.net.Listener;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.testing.CapturedLog;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.uv.UvIdle;
import io.github.uvloop4j.uv.UvTimer;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What debug mode says of what is left when a loop is closed. */
@Timeout(60)
class DebugCloseTest {
    private static final Protocol SILENT = (ByteBuffer data) -> {};

    @FunctionalInterface
    private interface Body {
        void run(EventLoop loop) throws Exception;
    }

    /** What is logged about leftovers of a loop in which a body ran as a task. */
    private static List<LogRecord> leftBy(boolean debug, Body body) throws Exception {
        return leftIn(debug, loop -> loop.run(() -> body.run(loop)));
    }

    private static List<LogRecord> leftIn(boolean debug, Body life) throws Exception {
        var left = new ArrayList<LogRecord>();
        try (var log = new CapturedLog()) {
            try (var loop = EventLoop.create(LoopOptions.defaults().debug(debug))) {
                life.run(loop);
            }
            try (var loop = EventLoop.create()) {
                loop.callExceptionHandler(new ExceptionContext("the end", new Exception(), null, null));
            }
            for (var entry = log.await(any -> true); !entry.getMessage().equals("the end"); ) {
                if (entry.getMessage().startsWith("left ")) {
                    left.add(entry);
                }
                entry = log.await(any -> true);
            }
        }
        return left;
    }

    private static LogRecord onlyOne(Body body) throws Exception {
        var left = leftBy(true, body);
        assertThat(left).extracting(LogRecord::getMessage).hasSize(1);
        assertThat(left.getFirst().getLevel()).isEqualTo(Level.WARNING);
        return left.getFirst();
    }

    private static void isHere(Throwable place, String method) {
        assertThat(place).isNotNull();
        assertThat(place.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(DebugCloseTest.class.getName())
                        && frame.getMethodName().contains(method));
    }

    // Tasks

    private static void waitForEver(EventLoop loop) throws Exception {
        loop.createFuture().await();
    }

    @Test
    @Tag("cells")
    void aTaskThatWaitsIsToldWithItsAwaitAndItsPlace() throws Exception {
        var left = onlyOne(loop -> {
            loop.spawn("reader", () -> waitForEver(loop));
            Task.sleep(Duration.ZERO);
        });
        assertThat(left.getMessage())
                .startsWith("left waiting: task reader in LoopFuture.await at ")
                .contains("waitForEver")
                .endsWith(", when uvloop4j was closed");
        isHere(left.getThrown(), "waitForEver");
        isHere(left.getThrown().getCause(), "aTaskThatWaits");
    }

    @Test
    void aTaskThatNeverBeganIsToldWithItsPlace() throws Exception {
        var left = leftIn(true, loop -> loop.spawn("late", () -> 1));
        assertThat(left)
                .extracting(LogRecord::getMessage)
                .containsExactly("left unstarted: task late, when uvloop4j was closed");
        isHere(left.getFirst().getThrown(), "aTaskThatNeverBegan");
    }

    @Test
    void aSubmittedTaskIsToldWithThePlaceOfTheSubmission() throws Exception {
        var left = onlyOne(loop -> {
            loop.submit(() -> waitForEver(loop));
            Task.sleep(Duration.ofMillis(1));
        });
        assertThat(left.getMessage()).startsWith("left waiting: task ");
        isHere(left.getThrown().getCause(), "aSubmittedTask");
    }

    @Test
    void aTaskThatSwallowsTheCancelIsToldToo() throws Exception {
        var left = onlyOne(loop -> {
            loop.spawn("stubborn", () -> {
                assertThatThrownBy(() -> waitForEver(loop)).isInstanceOf(CancellationException.class);
            });
            Task.sleep(Duration.ZERO);
        });
        assertThat(left.getMessage()).startsWith("left waiting: task stubborn");
    }

    @Test
    void aTaskThatGetsToItsEndIsNotTold() throws Exception {
        assertThat(leftBy(true, loop -> {
                    var ready = loop.createFuture();
                    loop.spawn("fast", () -> ready.await());
                    Task.sleep(Duration.ZERO);
                    ready.complete(null);
                    loop.stop();
                }))
                .extracting(LogRecord::getMessage)
                .isEmpty();
    }

    @Test
    void aTaskThatWasCancelledBeforeIsNotTold() throws Exception {
        assertThat(leftBy(true, loop -> {
                    var task = loop.spawn(() -> waitForEver(loop));
                    Task.sleep(Duration.ZERO);
                    task.cancel();
                }))
                .extracting(LogRecord::getMessage)
                .isEmpty();
    }

    @Test
    void tasksOfOnePlaceAreToldTogether() throws Exception {
        var left = onlyOne(loop -> {
            for (int i = 0; i < 1000; i++) {
                loop.spawn("many", () -> waitForEver(loop));
            }
            Task.sleep(Duration.ZERO);
        });
        assertThat(left.getMessage())
                .startsWith("left waiting: task many ")
                .contains(", and 999 more that were made at the same place, ");
    }

    @Test
    void ofManyPlacesSomeAreToldAndTheRestIsCounted() throws Exception {
        try (var log = new CapturedLog()) {
            var left = new Leftovers("mine");
            for (int i = 0; i < 30; i++) {
                var place = new Throwable();
                place.setStackTrace(new StackTraceElement[] {new StackTraceElement("Type", "method", "Type.java", i)});
                left.add("open: thing " + i, place, place);
                left.add("open: its twin", place, place);
            }
            left.tell();
            for (int i = 0; i < 20; i++) {
                assertThat(log.await(any -> true).getMessage())
                        .isEqualTo("left open: thing " + i
                                + ", and 1 more that were made at the same place, when mine was closed");
            }
            assertThat(log.await(any -> true).getMessage())
                    .isEqualTo("left: 20 more from other places, when mine was closed");
        }
    }

    // Transports

    @Test
    void aServerIsToldWithItsPlace() throws Exception {
        var left = onlyOne(
                loop -> loop.net().createServer(() -> SILENT, "127.0.0.1", 0).await());
        assertThat(left.getMessage()).isEqualTo("left open: server [serving], when uvloop4j was closed");
        isHere(left.getThrown(), "aServerIsTold");
    }

    @Test
    void aServerOfANameIsToldWithItsPlace() throws Exception {
        var left = onlyOne(
                loop -> loop.net().createServer(() -> SILENT, "localhost", 0).await());
        isHere(left.getThrown(), "aServerOfAName");
    }

    @Test
    void aListenerIsToldWithItsPlace() throws Exception {
        var left = onlyOne(loop -> loop.net().listen("127.0.0.1", 0));
        assertThat(left.getMessage()).startsWith("left open: listener, ");
        isHere(left.getThrown(), "aListenerIsTold");
    }

    @Test
    @Tag("cells")
    void connectionsOfTasksAreToldWithTheirPlaces() throws Exception {
        var left = leftBy(true, loop -> {
            try (var listener = loop.net().listen("127.0.0.1", 0)) {
                connect(loop, listener.port());
                accept(listener);
            }
        });
        assertThat(left)
                .extracting(LogRecord::getMessage)
                .hasSize(2)
                .allMatch(message -> message.startsWith("left open: connection to 127.0.0.1:"));
        assertThat(left).anySatisfy(entry -> isHere(entry.getThrown(), "connect"));
        assertThat(left).anySatisfy(entry -> isHere(entry.getThrown(), "accept"));
    }

    private static void connect(EventLoop loop, int port) throws Exception {
        loop.net().openConnection("127.0.0.1", port);
    }

    private static void accept(Listener listener) throws Exception {
        listener.accept();
    }

    @Test
    void transportsOfProtocolsAreToldWithTheirPlaces() throws Exception {
        var left = leftBy(true, loop -> {
            var server = loop.net().createServer(() -> SILENT, "127.0.0.1", 0).await();
            for (int i = 0; i < 3; i++) {
                loop.net()
                        .createConnection(() -> SILENT, "127.0.0.1", server.port())
                        .await();
            }
            while (server.clientCount() < 3) {
                Task.sleep(Duration.ofMillis(1));
            }
            server.close();
        });
        assertThat(left)
                .extracting(LogRecord::getMessage)
                .hasSize(2)
                .allMatch(message -> message.startsWith("left open: transport to 127.0.0.1:")
                        && message.contains(", and 2 more that were made at the same place"));
        assertThat(left).allSatisfy(entry -> isHere(entry.getThrown(), "transportsOfProtocols"));
        assertThat(left)
                .extracting(entry -> entry.getThrown().getMessage())
                .containsExactlyInAnyOrder("connection created here", "server created here");
    }

    @Test
    void rawSocketsAndWatchersAreToldWithTheirPlaces() throws Exception {
        int[] pair = Fds.pair();
        var left = leftBy(true, loop -> {
            loop.sockets().openTcp(StandardProtocolFamily.INET);
            loop.sockets().addReader(pair[0], () -> {});
        });
        Fds.close(pair[0]);
        Fds.close(pair[1]);
        assertThat(left)
                .extracting(LogRecord::getMessage)
                .satisfiesExactlyInAnyOrder(
                        socket -> assertThat(socket).startsWith("left open: socket "),
                        watcher -> assertThat(watcher).startsWith("left open: the watcher of descriptor " + pair[0]));
        assertThat(left).allSatisfy(entry -> isHere(entry.getThrown(), "rawSocketsAndWatchers"));
    }

    @Test
    void socketsOfDatagramsAreToldWithTheirPlaces() throws Exception {
        var left = leftBy(true, loop -> {
            var options = DatagramOptions.bound("127.0.0.1", 0);
            loop.net().openDatagramEndpoint(options);
            loop.net()
                    .createDatagramEndpoint(() -> (DatagramProtocol) (data, sender) -> {}, options)
                    .await();
        });
        assertThat(left)
                .extracting(LogRecord::getMessage)
                .hasSize(2)
                .allMatch(message -> message.startsWith("left open: datagrams at "));
        assertThat(left).allSatisfy(entry -> isHere(entry.getThrown(), "socketsOfDatagrams"));
    }

    @Test
    void anAcceptedSocketIsToldWithThePlaceOfTheCall() throws Exception {
        var left = leftBy(true, loop -> {
            try (var listening = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                listening.bind(new InetSocketAddress("127.0.0.1", 0));
                listening.listen(1);
                var accepted = sockAccept(loop, listening);
                var peer = Peers.client(
                        listening.localAddress(),
                        client -> client.getInputStream().read());
                accepted.await();
                peer.exceptionally(reset -> -1);
            }
        });
        assertThat(left).hasSize(1);
        isHere(left.getFirst().getThrown(), "sockAccept");
    }

    private static LoopFuture<Accepted> sockAccept(EventLoop loop, RawSocket listening) {
        return loop.sockets().sockAccept(listening);
    }

    @Test
    void whatWasClosedIsNotToldEvenIfItStillSends() throws Exception {
        var seen = new CountDownLatch(1);
        var peer = Peers.server(socket -> {
            seen.await();
            return socket.getInputStream().readAllBytes().length;
        });
        int size = 32 << 20;
        assertThat(leftBy(true, loop -> {
                    var connected = loop.net()
                            .createConnection(() -> SILENT, "127.0.0.1", peer.port())
                            .await();
                    connected.transport().write(new byte[size]);
                    connected.transport().close();
                    seen.countDown();
                }))
                .extracting(LogRecord::getMessage)
                .isEmpty();
        assertThat(peer.result().get()).isEqualTo(size);
    }

    @Test
    void whatACancelledTaskClosesIsNotTold() throws Exception {
        var left = onlyOne(loop -> {
            loop.spawn("server", () -> {
                try (var listener = loop.net().listen("127.0.0.1", 0)) {
                    listener.accept();
                }
            });
            Task.sleep(Duration.ofMillis(1));
        });
        assertThat(left.getMessage()).startsWith("left waiting: task server in TaskListener.accept at ");
    }

    // Handles

    @Test
    void handlesOfTheUserAreCounted() throws Exception {
        var left = onlyOne(loop -> {
            new UvTimer(loop.uv());
            new UvTimer(loop.uv());
            new UvTimer(loop.uv()).close();
            new UvIdle(loop.uv());
        });
        assertThat(left.getMessage()).isEqualTo("left open: 1 UvIdle, 2 UvTimer, when uvloop4j was closed");
    }

    // Without

    @Test
    void withoutDebugModeNothingIsTold() throws Exception {
        assertThat(leftBy(false, loop -> {
                    loop.spawn(() -> waitForEver(loop));
                    loop.net().listen("127.0.0.1", 0);
                    new UvTimer(loop.uv());
                    Task.sleep(Duration.ZERO);
                }))
                .extracting(LogRecord::getMessage)
                .isEmpty();
    }

    @Test
    void aLoopThatLeavesNothingIsSilent() throws Exception {
        assertThat(leftBy(true, loop -> {
                    try (var listener = loop.net().listen("127.0.0.1", 0);
                            var client = loop.net().openConnection("127.0.0.1", listener.port());
                            var accepted = listener.accept()) {
                        client.write("x\n");
                        accepted.readLine();
                    }
                    loop.spawn(() -> 1).await();
                    loop.callLater(Duration.ofHours(1), () -> {});
                }))
                .extracting(LogRecord::getMessage)
                .isEmpty();
    }
}
