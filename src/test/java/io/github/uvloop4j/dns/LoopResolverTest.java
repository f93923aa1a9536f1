package io.github.uvloop4j.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.DatagramOptions;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.observe.Lookup;
import io.github.uvloop4j.observe.LoopObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every place of a loop that takes a host asks the loop's resolver, and is safe from what that does. */
@Timeout(60)
class LoopResolverTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final Protocol SILENT = data -> {};

    private static EventLoop loop(Resolver resolver) {
        return EventLoop.create(LoopOptions.defaults().resolver(resolver));
    }

    @Tag("cells")
    @Test
    void serversConnectionsAndDatagramsAskIt() throws Exception {
        var asked = new ArrayList<String>();
        var table = Resolvers.fixed(Map.of("here.example", List.of(LOOPBACK)));
        Resolver resolver = (host, family) -> {
            asked.add(host);
            return table.resolve(host, family);
        };
        try (var loop = loop(resolver)) {
            loop.run(() -> {
                var net = loop.net();
                var server = net.createServer(() -> SILENT, "here.example", 0).await();
                int port = server.port();
                net.createConnection(() -> SILENT, "here.example", port)
                        .await()
                        .transport()
                        .close();
                net.openConnection("here.example", port).close();
                net.openConnection(InetSocketAddress.createUnresolved("here.example", port))
                        .close();
                net.listen("here.example", 0).close();
                net.listen(InetSocketAddress.createUnresolved("here.example", 0), ServerOptions.defaults())
                        .close();
                net.openDatagramEndpoint(
                                DatagramOptions.bound("here.example", 0).remote("here.example", 9))
                        .close();
                try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                    loop.sockets()
                            .sockConnect(socket, InetSocketAddress.createUnresolved("here.example", port))
                            .await();
                    assertThat(socket.peerAddress()).isEqualTo(new InetSocketAddress(LOOPBACK, port));
                }
                assertThat(net.getAddrInfo(
                                        "here.example", 7, AddrInfoHints.none().type(SocketType.STREAM))
                                .await())
                        .containsExactly(new AddrInfo(
                                StandardProtocolFamily.INET,
                                SocketType.STREAM,
                                6,
                                null,
                                new InetSocketAddress(LOOPBACK, 7)));
                server.close();
                server.closeClients();
            });
        }
        assertThat(asked).hasSize(10).containsOnly("here.example");
    }

    @Test
    void theFamilyThatIsWantedIsAskedFor() throws Exception {
        var families = new ArrayList<ProtocolFamily>();
        Resolver resolver = (host, family) -> {
            families.add(family);
            return CompletableFuture.failedFuture(new UnknownHostException(host));
        };
        try (var loop = loop(resolver)) {
            loop.run(() -> {
                for (var family : List.of(StandardProtocolFamily.INET, StandardProtocolFamily.INET6)) {
                    var options = ConnectOptions.defaults().family(family);
                    assertThatThrownBy(() -> loop.net().openConnection("name", 1, options))
                            .isInstanceOf(UnknownHostException.class);
                }
            });
        }
        assertThat(families).containsExactly(StandardProtocolFamily.INET, StandardProtocolFamily.INET6);
    }

    @Test
    void namesAreEncodedBeforeTheyAreAsked() throws Exception {
        var asked = new Asked();
        try (var loop = loop(asked)) {
            var found = loop.net().getAddrInfo("bücher.example", 1, AddrInfoHints.none());
            assertThat(asked.hosts).containsExactly("xn--bcher-kva.example");
            asked.answer(Asked.V4);
            assertThat(loop.runUntilComplete(found)).hasSize(3);
        }
    }

    @Test
    void addressesAndLocalhostAreNeverAskedFor() throws Exception {
        var asked = new Asked();
        try (var loop = loop(asked)) {
            loop.run(() -> {
                for (var host : new String[] {"127.0.0.1", "localhost", "::1", null, ""}) {
                    var listener = loop.net().listen(host, 0);
                    loop.net()
                            .openConnection(host == null ? "" : host, listener.port())
                            .close();
                    listener.close();
                }
            });
        }
        assertThat(asked.hosts).isEmpty();
    }

    private static Resolver broken(String how) {
        return new Resolver() {
            @Override
            @SuppressWarnings("NullAway")
            public CompletableFuture<List<InetAddress>> resolve(String host, ProtocolFamily family) {
                return switch (how) {
                    case "throws" -> throw new IllegalStateException("it is broken");
                    case "overflows" -> throw new StackOverflowError("it is broken");
                    case "returns null" -> null;
                    case "answers null" -> CompletableFuture.completedFuture(null);
                    case "answers a null" -> CompletableFuture.completedFuture(Arrays.asList((InetAddress) null));
                    case "answers nothing" -> CompletableFuture.completedFuture(List.of());
                    case "answers another family" ->
                        CompletableFuture.completedFuture(
                                family == StandardProtocolFamily.INET6 ? List.of(Asked.V4) : List.of(Asked.V6));
                    case "cancels" -> {
                        var cancelled = new CompletableFuture<List<InetAddress>>();
                        cancelled.cancel(true);
                        yield cancelled;
                    }
                    default -> CompletableFuture.failedFuture(new CompletionException(new IOException(how)));
                };
            }

            @Override
            public String toString() {
                return "MyResolver";
            }
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "throws",
                "overflows",
                "returns null",
                "answers null",
                "answers a null",
                "answers nothing",
                "answers another family",
                "cancels",
                "fails"
            })
    void aBrokenResolverFailsTheCallAndNothingElse(String how) throws Exception {
        try (var loop = loop(broken(how))) {
            loop.run(() -> {
                var options = ConnectOptions.defaults().family(StandardProtocolFamily.INET);
                var failures = new ArrayList<Throwable>();
                for (LoopFuture<?> future : List.of(
                        loop.net().createConnection(() -> SILENT, "name", 1, options),
                        loop.net().getAddrInfo("name", 1, AddrInfoHints.none().family(StandardProtocolFamily.INET)))) {
                    try {
                        future.await();
                    } catch (Throwable error) {
                        failures.add(error);
                    }
                }
                assertThat(failures).hasSize(2).allSatisfy(error -> {
                    assertThat(error).isNotInstanceOf(CancellationException.class);
                    switch (how) {
                        case "throws", "overflows" -> assertThat(error).hasMessage("it is broken");
                        case "returns null" ->
                            assertThat(error).hasMessageContaining("MyResolver").hasMessageContaining("returned null");
                        case "answers null", "answers a null", "cancels" ->
                            assertThat(error)
                                    .isInstanceOf(UnknownHostException.class)
                                    .hasMessageContaining("MyResolver");
                        case "fails" ->
                            assertThat(error).isInstanceOf(IOException.class).hasMessage("fails");
                        default ->
                            assertThat(error)
                                    .isInstanceOf(UnknownHostException.class)
                                    .hasMessageContaining("name");
                    }
                });
                loop.net().listen("127.0.0.1", 0).close();
            });
        }
    }

    @Tag("cells")
    @Test
    void cancellingEndsTheFutureAtOnceAndTellsTheResolver() throws Exception {
        var asked = new Asked();
        try (var loop = loop(asked)) {
            loop.run(() -> {
                var net = loop.net();
                for (LoopFuture<?> future : List.of(
                        net.createConnection(() -> SILENT, "name", 1),
                        net.createServer(() -> SILENT, "name", 1),
                        net.createServer(() -> SILENT, List.of("name", "name2"), 1, ServerOptions.defaults()),
                        net.createDatagramEndpoint(() -> (data, sender) -> {}, DatagramOptions.connected("name", 1)),
                        net.getAddrInfo("name", 1, AddrInfoHints.none()))) {
                    assertThat(future.cancel()).isTrue();
                    assertThat(future.isCancelled()).isTrue();
                }
                var task = loop.spawn(() -> net.openConnection("name", 1));
                loop.spawn(() -> {}).await();
                assertThat(task.isDone()).isFalse();
                task.cancel();
                assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
            });
        }
        assertThat(asked.answers).hasSize(6).allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void theTimeoutOfConnectingIsForTheLookUpToo() throws Exception {
        var asked = new Asked();
        try (var loop = loop(asked)) {
            var options = ConnectOptions.defaults().timeout(Duration.ofMillis(20));
            loop.run(() -> {
                assertThatThrownBy(() -> loop.net().openConnection("name", 1, options))
                        .isInstanceOf(SocketTimeoutException.class);
                assertThatThrownBy(() -> loop.net()
                                .createConnection(() -> SILENT, "name", 1, options)
                                .await())
                        .isInstanceOf(SocketTimeoutException.class);
            });
        }
        assertThat(asked.answers).hasSize(2).allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void anAnswerAfterTheCancelIsIgnored() throws Exception {
        var asked = new Asked();
        Resolver stubborn = (host, family) -> asked.resolve(host, family).thenApply(found -> found);
        try (var loop = loop(stubborn)) {
            var connecting = loop.net().createConnection(() -> SILENT, "name", 1);
            connecting.cancel();
            asked.answer(LOOPBACK);
            loop.run(() -> assertThatThrownBy(connecting::await).isInstanceOf(CancellationException.class));
        }
    }

    @Tag("cells")
    @Test
    void closingTheLoopEndsWhatIsUnderWay() throws Exception {
        var asked = new Asked();
        LoopFuture<?> connecting;
        LoopFuture<?> finding;
        try (var loop = loop(asked)) {
            connecting = loop.net().createConnection(() -> SILENT, "name", 1);
            finding = loop.net().getAddrInfo("name", 1, AddrInfoHints.none());
        }
        assertThat(connecting.isDone()).isTrue();
        assertThat(finding.isCancelled()).isTrue();
        assertThat(asked.answers).allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void anAnswerAfterTheLoopWasClosedHarmsNobody() throws Exception {
        var asked = new Asked();
        Resolver stubborn = (host, family) -> asked.resolve(host, family).thenApply(found -> found);
        LoopFuture<?> connecting;
        try (var loop = loop(stubborn)) {
            connecting = loop.net().createConnection(() -> SILENT, "name", 1);
        }
        assertThat(asked.answers.getLast().complete(List.of(LOOPBACK))).isTrue();
        assertThat(connecting.isDone()).isTrue();
    }

    @Test
    void observersAreToldOfEachLookUpOnce() throws Exception {
        var told = new ArrayList<String>();
        var observer = new LoopObserver() {
            @Override
            public void lookupBegins(LoopContext loop, Lookup lookup) {
                told.add("begins " + lookup.host());
            }

            @Override
            public void lookupEnded(LoopContext loop, Lookup lookup, Throwable failure) {
                told.add("ended " + lookup.host()
                        + (failure == null ? "" : ' ' + failure.getClass().getSimpleName()));
            }
        };
        var asked = new Asked();
        try (var loop = EventLoop.create(LoopOptions.defaults().resolver(asked).observe(observer))) {
            var found = loop.net().getAddrInfo("good", 1, AddrInfoHints.none());
            asked.answer(Asked.V4);
            loop.runUntilComplete(found);
            var failing = loop.net().getAddrInfo("bad", 1, AddrInfoHints.none());
            asked.fail();
            assertThatThrownBy(() -> loop.runUntilComplete(failing)).isInstanceOf(UnknownHostException.class);
            loop.net().getAddrInfo("given-up", 1, AddrInfoHints.none()).cancel();
        }
        assertThat(told)
                .containsExactly(
                        "begins good",
                        "ended good",
                        "begins bad",
                        "ended bad UnknownHostException",
                        "begins given-up",
                        "ended given-up CancellationException");
    }
}
