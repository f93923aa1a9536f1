package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM that is looked at, for a test. */
final class Observed implements AutoCloseable {
    private final Process process;

    private Observed(Process process) {
        this.process = process;
    }

    /** Starts a class of {@link ObservedApps}, and waits until it is ready. */
    static Observed start(Class<?> main, String... flags) throws IOException {
        return start(main, List.of(), flags);
    }

    static Observed start(Class<?> main, List<String> arguments, String... flags) throws IOException {
        var jvm = new ChildJvm().flag("-XX:+UseSerialGC").flag("-XX:TieredStopAtLevel=1");
        for (var flag : flags) {
            jvm.flag(flag);
        }
        var observed = new Observed(jvm.start(main, arguments.toArray(String[]::new)));
        observed.awaitReady();
        return observed;
    }

    private void awaitReady() throws IOException {
        var output = process.inputReader(StandardCharsets.UTF_8);
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            if (line.equals("ready")) {
                Thread.ofPlatform().daemon().start(() -> output.lines().forEach(_ -> {}));
                return;
            }
        }
        throw new AssertionError("it has ended");
    }

    String pid() {
        return Long.toString(process.pid());
    }

    /** What its flight recorder records now. */
    static String recordings(Observed app) throws Exception {
        var jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), app.pid(), "JFR.check")
                .redirectErrorStream(true)
                .start();
        var output = jcmd.inputReader().readAllAsString();
        assertThat(jcmd.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    /** Lets it end of itself. */
    void end() throws Exception {
        process.getOutputStream().close();
        awaitEnd();
    }

    void awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("ended").isTrue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
