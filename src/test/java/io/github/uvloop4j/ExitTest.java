package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.uv.UvVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a loop does to its process. */
@Timeout(120)
class ExitTest {
    static final class Unclosed {
        private Unclosed() {}

        public static void main(String[] arguments) throws Exception {
            var loop = EventLoop.create(LoopOptions.defaults().debug(true));
            loop.callLater(java.time.Duration.ofHours(1), () -> {});
            loop.spawn(() -> loop.createFuture().await());
            loop.run(() -> loop.runInExecutor(() -> 1).await());
        }
    }

    static final class ExitInTheLoop {
        private ExitInTheLoop() {}

        public static void main(String[] arguments) {
            var loop = EventLoop.create();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            loop.callSoon(() -> System.exit(7));
            loop.runForever();
        }
    }

    @Test
    void aLoopThatWasNeverClosedDoesNotHinderTheExit() throws Exception {
        var result = new ChildJvm().run(Unclosed.class);
        assertThat(result.output()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void exitInACallbackEndsTheProcess() throws Exception {
        var result = new ChildJvm().run(ExitInTheLoop.class);
        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.output()).contains("hook");
    }

    @Test
    void standardStreamsStayInheritable() throws Exception {
        EventLoop.run(loop -> {});
        for (var descriptor : List.of("0", "1", "2")) {
            assertThat(closedOnExec(descriptor)).isFalse();
        }
    }

    @Test
    void descriptorsOfALoopAreNotInherited() throws Exception {
        try (var loop = EventLoop.create()) {
            loop.runOnce();
            assertThat(closedOnExec("" + loop.backendFd())).isTrue();
        }
    }

    private static boolean closedOnExec(String descriptor) throws IOException {
        var flags = Files.readAllLines(Path.of("/proc/self/fdinfo", descriptor)).stream()
                .filter(line -> line.startsWith("flags:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseLong(flags.substring(6).trim(), 8) & 02000000) != 0;
    }

    @Test
    void eachLoopHasALoopOfLibuvOfItsOwn() {
        try (var first = EventLoop.create();
                var second = EventLoop.create()) {
            assertThat(first.uv().address())
                    .isNotZero()
                    .isNotEqualTo(second.uv().address());
        }
    }

    @Test
    void theVersionOfLibuvIsKnown() {
        assertThat(UvVersion.loaded()).isGreaterThanOrEqualTo(UvVersion.OLDEST);
        assertThat(UvVersion.origin()).isNotEmpty();
    }
}
