package io.github.uvloop4j.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.BlockedPool;
import io.github.uvloop4j.testing.Descriptors;
import io.github.uvloop4j.testing.Until;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("cells")
@Timeout(60)
class LibuvResolverTest {
    private final Resolver resolver = Resolvers.libuv();

    private static AddrInfoHints numeric() {
        return AddrInfoHints.none().type(SocketType.STREAM).flags(AddrInfoFlag.NUMERICHOST);
    }

    private void awaitIdle() {
        Until.holds("nothing under way", () -> resolver.statistics().running() == 0);
        Until.holds(
                "its thread ends",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("uvloop4j-libuv-resolve")));
    }

    @Test
    void itFindsAddressesAndNames() throws Exception {
        assertThat(resolver.resolve("localhost", StandardProtocolFamily.INET)
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS))
                .contains(InetAddress.ofLiteral("127.0.0.1"));
        var address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 9);
        assertThat(resolver.nameInfo(address, Set.of(NameInfoFlag.NUMERICHOST, NameInfoFlag.NUMERICSERV))
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS))
                .isEqualTo(new NameInfo("127.0.0.1", "9"));
    }

    @Test
    void whatIsNotThereIsAnUnknownHostException() {
        assertThatThrownBy(() -> resolver.addrInfo("name.invalid", "1", numeric())
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("name.invalid");
    }

    @Test
    void badArgumentsFailTheLookUpAndNotTheResolver() throws Exception {
        assertThatThrownBy(() -> resolver.resolve("a".repeat(300), null)
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(IllegalArgumentException.class);
        itFindsAddressesAndNames();
    }

    @Test
    void aHundredAtATimeFromManyThreadsAllEnd() throws Exception {
        var all = new ArrayList<Thread>();
        var failures = new ArrayList<Throwable>();
        for (int i = 0; i < 4; i++) {
            all.add(Thread.ofPlatform().start(() -> {
                try {
                    for (int port = 1; port <= 25; port++) {
                        var found = resolver.addrInfo("127.0.0.1", "" + port, numeric())
                                .toCompletableFuture()
                                .get(30, TimeUnit.SECONDS);
                        assertThat(found.getFirst().address().getPort()).isEqualTo(port);
                    }
                } catch (Throwable error) {
                    synchronized (failures) {
                        failures.add(error);
                    }
                }
            }));
        }
        for (var thread : all) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void thoseGivenUpAtOnceLeaveNothing() {
        for (int i = 0; i < 500; i++) {
            resolver.addrInfo("127.0.0.1", "1", numeric()).toCompletableFuture().cancel(true);
            if (i % 50 == 0) {
                awaitIdle();
            }
        }
        awaitIdle();
    }

    @Test
    void whenThereIsNothingToDoNothingIsLeft() throws Exception {
        itFindsAddressesAndNames();
        awaitIdle();
        var before = Descriptors.now();
        itFindsAddressesAndNames();
        awaitIdle();
        assertThat(Descriptors.leakedSince(before)).isEmpty();
    }

    @Test
    void withAFullPoolLookUpsWaitAreCancelledAtOnceAndTheirLoopCloses() throws Exception {
        LoopFuture<List<AddrInfo>> left;
        try (var blocked = new BlockedPool()) {
            try (var loop = EventLoop.create(LoopOptions.defaults().resolver(resolver))) {
                var given = loop.net().getAddrInfo("name", 1, AddrInfoHints.none());
                left = loop.net().getAddrInfo("other", 1, AddrInfoHints.none());
                assertThat(resolver.statistics().running()).isEqualTo(2);
                given.cancel();
                assertThat(given.isCancelled()).isTrue();
                Until.holds(
                        "libuv has given it back", () -> resolver.statistics().running() == 1);
            }
            assertThat(left.isCancelled()).isTrue();
            Until.holds("both were given back", () -> resolver.statistics().running() == 0);
            assertThat(blocked).isNotNull();
        }
        awaitIdle();
    }

    @Test
    void withAFullPoolTheDefaultResolverGoesOn() throws Exception {
        try (var blocked = new BlockedPool();
                var loop = EventLoop.create()) {
            var found = loop.net()
                    .getAddrInfo(
                            "127.0.0.1",
                            null,
                            AddrInfoHints.none().type(SocketType.RAW).protocol(1));
            assertThat(loop.runUntilComplete(found)).hasSize(1);
            assertThat(blocked).isNotNull();
        }
    }
}
