package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.pollfd;
import io.github.uvloop4j.ffi.uv;
import io.github.uvloop4j.testing.BlockedPool;
import io.github.uvloop4j.testing.Fifo;
import io.github.uvloop4j.testing.Until;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of look-ups that are cancelled, or whose loop is closed. */
@Tag("cells")
@Timeout(60)
@ExtendWith(UvExtension.class)
class UvPoolRequestTest {
    private static final UvAddrInfo.Hints NUMERIC = new UvAddrInfo.Hints(4, 0, libc.SOCK_STREAM(), 0);

    private static UvGetAddrInfo ask(UvLoop loop, String node, List<String> seen) {
        var request = new UvGetAddrInfo(loop);
        request.start(node, "1", NUMERIC, (status, found) -> {
            seen.add(node + ' ' + (status == 0 ? "found" : UvErrno.of(status).name()));
            request.free();
        });
        return request;
    }

    @Test
    void whatIsQueuedIsCancelledAndStillCallsBack(UvLoop loop) throws Exception {
        var seen = new ArrayList<String>();
        try (var blocked = new BlockedPool()) {
            var request = ask(loop, "127.0.0.1", seen);
            assertThat(request.cancel()).isTrue();
            assertThat(seen).as("not from within the call").isEmpty();
            loop.run(UvLoop.Mode.DEFAULT);
            assertThat(blocked).isNotNull();
        }
        assertThat(seen).containsExactly("127.0.0.1 ECANCELED");
    }

    @Test
    void namesAreCancelledToo(UvLoop loop) throws Exception {
        var seen = new ArrayList<Integer>();
        try (var blocked = new BlockedPool()) {
            var request = new UvGetNameInfo(loop);
            var address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 1);
            request.start(address, 0, (status, host, service) -> seen.add(status));
            assertThat(request.cancel()).isTrue();
            loop.run(UvLoop.Mode.DEFAULT);
            request.free();
            assertThat(blocked).isNotNull();
        }
        assertThat(seen).containsExactly(UvErrno.ECANCELED.code());
    }

    @Test
    void whatAThreadHasTakenIsNotCancelled(UvLoop loop) {
        var seen = new ArrayList<String>();
        // The kernel watches for the pool once the loop has run with something to do.
        var reason = new UvAsync(loop, () -> {});
        loop.run(UvLoop.Mode.NOWAIT);
        var request = ask(loop, "127.0.0.1", seen);
        awaitReadable(loop.backendFd());
        assertThat(request.cancel()).isFalse();
        reason.close();
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(seen).containsExactly("127.0.0.1 found");
        assertThat(request.cancel()).as("once it is over").isFalse();
    }

    /** The pool wakes the loop when it is done. */
    private static void awaitReadable(int fd) {
        try (var arena = Arena.ofConfined()) {
            var entry = pollfd.allocate(arena);
            pollfd.fd(entry, fd);
            pollfd.events(entry, (short) 1);
            assertThat(libc.poll(entry, 1, 30_000)).isEqualTo(1);
        }
    }

    @Test
    void closingTheLoopCancelsWhatIsQueued() throws Exception {
        var seen = new ArrayList<String>();
        try (var blocked = new BlockedPool()) {
            var loop = UvLoop.create();
            ask(loop, "127.0.0.1", seen);
            ask(loop, "127.0.0.2", seen);
            loop.close();
            assertThat(blocked).isNotNull();
        }
        assertThat(seen).containsExactlyInAnyOrder("127.0.0.1 ECANCELED", "127.0.0.2 ECANCELED");
    }

    @Test
    void closingTheLoopDoesNotWaitForALookUpThatHangs() throws Exception {
        var seen = new ArrayList<String>();
        try (var fifo = new Fifo();
                var arena = Arena.ofConfined()) {
            var aliases = arena.allocateFrom("HOSTALIASES");
            var options = arena.allocateFrom("RES_OPTIONS");
            uv.uv_os_setenv(options, arena.allocateFrom("timeout:1 attempts:1"));
            uv.uv_os_setenv(aliases, arena.allocateFrom(fifo.path().toString()));
            try {
                var loop = UvLoop.create();
                hang(loop, seen);
                loop.close();
                assertThat(loop.isClosed()).isTrue();
                assertThat(seen).last().isEqualTo("hangs ECANCELED");
            } finally {
                uv.uv_os_unsetenv(aliases);
                uv.uv_os_unsetenv(options);
            }
            assertThat(waiting()).as("who frees the memory").isTrue();
            Until.holds("the loop is freed", () -> {
                fifo.release();
                return !waiting();
            });
        }
    }

    /** The C library reads the file of aliases for a name without a dot that is in no table. */
    private static void hang(UvLoop loop, List<String> seen) {
        var request = new UvGetAddrInfo(loop);
        request.start("hangs", null, UvAddrInfo.Hints.NONE, (status, found) -> {
            seen.add("hangs " + UvErrno.of(status).name());
            request.free();
        });
        ask(loop, "127.0.0.1", seen);
        while (seen.isEmpty()) {
            loop.run(UvLoop.Mode.ONCE);
        }
        // The pool began with the first before the second.
        Assumptions.assumeTrue(request.isPending(), "names are not looked up by the C library's own client here");
    }

    private static boolean waiting() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("uvloop4j-left"));
    }
}
