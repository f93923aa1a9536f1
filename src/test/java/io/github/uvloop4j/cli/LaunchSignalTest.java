package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.examples.PinnedEcho;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How what {@code launch} has started ends. */
@Timeout(60)
class LaunchSignalTest {
    private static final List<String> LONG = List.of("--loops=1", "--deadline=600");

    private static boolean listens(int port) {
        try (var probe = new Socket("127.0.0.1", port)) {
            return probe.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void termLetsAnOpenConnectionGoOn() throws Exception {
        try (var launched = Launched.application(PinnedEcho.class, LONG, "0")) {
            int port = Integer.parseInt(launched.after("listening on 127.0.0.1:"));
            try (var client = new Socket("127.0.0.1", port)) {
                client.getOutputStream().write('a');
                assertThat(client.getInputStream().read()).isEqualTo('a');

                launched.signal("TERM");
                Until.holds("nothing listens", () -> !listens(port));

                client.getOutputStream().write('b');
                assertThat(client.getInputStream().read()).isEqualTo('b');
                assertThat(launched.process().isAlive()).isTrue();
            }
            assertThat(launched.line()).isEqualTo("stopped, cleanly");
            assertThat(launched.errors()).isEmpty();
            assertThat(launched.status()).isZero();
        }
    }

    @Test
    void connectionsAreCutOffAtTheDeadline() throws Exception {
        try (var launched = Launched.application(PinnedEcho.class, List.of("--loops=1", "--deadline=0"), "0")) {
            int port = Integer.parseInt(launched.after("listening on 127.0.0.1:"));
            try (var client = new Socket("127.0.0.1", port)) {
                client.getOutputStream().write('a');
                assertThat(client.getInputStream().read()).isEqualTo('a');

                launched.signal("INT");

                assertThat(launched.line()).isEqualTo("stopped, with connections cut off");
                assertThat(launched.status()).as("the application's own").isEqualTo(1);
            }
        }
    }

    @Test
    void theSecondSignalKills() throws Exception {
        try (var launched = Launched.application(LaunchedApps.Stubborn.class, LONG)) {
            launched.after("up");
            var child = launched.child();

            Until.holds("killed", () -> {
                try {
                    launched.signal("TERM");
                    Thread.sleep(50);
                } catch (AssertionError gone) {
                    // There is no process to send a signal to.
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                return !launched.process().isAlive();
            });

            assertThat(launched.status()).isEqualTo(137);
            Launched.awaitEnd(child);
        }
    }

    @Test
    void anApplicationThatDoesNotReturnIsEnded() throws Exception {
        try (var launched = Launched.application(LaunchedApps.Stubborn.class, List.of("--loops=1", "--deadline=0"))) {
            launched.after("up");

            launched.signal("TERM");

            assertThat(launched.line()).isEqualTo("interrupted");
            assertThat(launched.errors().lines()).singleElement().asString().contains("run() does not return");
            assertThat(launched.status()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {PinnedEcho.class, LaunchedApps.Server.class})
    void anApplicationEndsWithAKilledLauncher(Class<?> type) throws Exception {
        try (var launched = Launched.application(type, LONG, "0")) {
            launched.after("listening on ");
            var child = launched.child();

            launched.process().destroyForcibly();

            assertThat(launched.status()).isEqualTo(137);
            Launched.awaitEnd(child);
        }
    }
}
