package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.examples.EchoProtocol;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code launch} starts, and with which arguments. */
@Timeout(60)
class LaunchTest {
    private static String cpu() {
        return String.valueOf(Affinity.allowed().first());
    }

    @Test
    void anApplicationHasItsArgumentsAndGivesItsStatus() throws Exception {
        var options = List.of("--loops", "1", "--cpus", cpu(), "--pinning", "optional");
        try (var launched = Launched.application(
                LaunchedApps.Status.class, options, "7", "--loops", "9", "-cp", "--help", "@x", "--", "a b", "")) {
            assertThat(launched.line()).matches("loop +cpus +node +thread");
            assertThat(launched.line()).matches("0 +" + cpu() + " +\\S+ +[0-9]+");
            assertThat(launched.lines())
                    .containsExactly(
                            "processors " + Runtime.getRuntime().availableProcessors(),
                            "argument 7",
                            "argument --loops",
                            "argument 9",
                            "argument -cp",
                            "argument --help",
                            "argument @x",
                            "argument --",
                            "argument a b",
                            "argument ");
            assertThat(launched.errors()).isEmpty();
            assertThat(launched.status()).isEqualTo(7);
        }
    }

    @Test
    void anApplicationThatThrowsGivesStatus1() throws Exception {
        try (var launched = Launched.application(LaunchedApps.Status.class, List.of("--loops=1"), "many")) {
            assertThat(launched.errors())
                    .startsWith("java.lang.NumberFormatException: For input string: \"many\"")
                    .contains("LaunchedApps");
            assertThat(launched.status()).isEqualTo(1);
        }
    }

    @Test
    void aJarWithAMainMethodRuns(@TempDir Path directory) throws Exception {
        var jar = jar(directory, LaunchedApps.Server.class, LaunchedApps.Server.class, EchoProtocol.class);
        try (var launched = Launched.start(
                "launch", "--json", "--loops=2", "--jvm-option", "-Dcolor=blue", jar.toString(), "--json", "x")) {
            assertThat(launched.line()).isEqualTo("arguments [--json, x] blue");
            var loops = (List<?>) JsonReader.object(launched.line()).get("loops");
            assertThat(loops).hasSize(2);
            var last = (Map<?, ?>) loops.getLast();
            assertThat(last.keySet()).map(String::valueOf).contains("name", "node", "thread_id");
            assertThat(last.get("loop")).isEqualTo(1.0);
            assertThat(last.get("cpus")).isEqualTo("");
            var address = launched.after("listening on ");
            assertThat(Outcome.of("echo-client", "--num=10", "--addr=" + address)
                            .err())
                    .isEmpty();

            launched.signal("TERM");

            assertThat(launched.status()).as("that of a JVM on SIGTERM").isEqualTo(143);
            assertThat(launched.errors()).isEmpty();
        }
    }

    @Test
    void theShortMainMethodRuns() throws Exception {
        try (var launched = Launched.application(LaunchedApps.Short.class, List.of())) {
            assertThat(launched.lines()).containsExactly("short");
            assertThat(launched.status()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Launched.class, LaunchedApps.Closed.class})
    void aClassThatCannotRunIsOneLineAndStatus2(Class<?> type) throws Exception {
        try (var launched = Launched.application(type, List.of())) {
            assertThat(launched.errors().lines()).singleElement().asString().contains(type.getName());
            assertThat(launched.status()).isEqualTo(2);
        }
    }

    @Test
    void aClassThatIsNotThereIsOneLineAndStatus2() throws Exception {
        try (var launched = Launched.start("launch", "no.such.Application", "--help")) {
            assertThat(launched.errors().lines())
                    .containsExactly("uvloop4j launch: no class no.such.Application on the class path");
            assertThat(launched.status()).isEqualTo(2);
        }
    }

    @Test
    void aJarWithoutAMainClassIsRefused(@TempDir Path directory) throws Exception {
        var jar = jar(directory, null, EchoProtocol.class);

        refused("no Main-Class in the manifest of " + jar, jar.toString());
    }

    @Test
    void aFileThatIsNoJarIsRefused(@TempDir Path directory) throws Exception {
        var file = Files.writeString(directory.resolve("text.jar"), "text");

        refused("not a jar: " + file, file.toString());
        refused("no such jar: " + directory.resolve("none.jar"), directory.resolve("none.jar") + "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--cpus= X",
                "--cpus 0-x X",
                "--cpus 3-1 X",
                "--cpus 65000 X",
                "--cpus 65536 X",
                "--loops 0 X",
                "--loops -1 X",
                "--loops many X",
                "--loops 65537 X",
                "--placement here X",
                "--placement core --loops 60000 X",
                "--placement node --loops 60000 X",
                "--placement spread --loops 60000 X",
                "--placement fixed --loops 60000 X",
                "--steer by-hand X",
                "--steer cpu X",
                "--steer incoming-cpu X",
                "--placement fenced --steer cbpf --loops 2 X",
                "--pinning perhaps X",
                "--deadline soon X",
                "--deadline -1 X",
                "--no-such-option X",
                "--json"
            })
    void badOptionsAreRefusedBeforeAJvmStarts(String line) {
        var outcome = Outcome.of(("launch " + line).split(" ", -1));

        assertThat(outcome.errorLines())
                .singleElement()
                .asString()
                .startsWith("uvloop4j launch: ")
                .endsWith("(see --help)");
        assertThat(outcome.status()).isEqualTo(2);
    }

    @Test
    void cpusThatMayNotBeUsedAreNamedWithThoseThatMay() {
        var outcome = Outcome.of("launch", "--cpus", "65000", "X");

        assertThat(outcome.err())
                .contains("asked: 65000", "allowed: " + Affinity.allowed(), "online: " + Affinity.online());
    }

    @Test
    void moreLoopsThanCpusAreRefusedWithBothNumbers() {
        var outcome = Outcome.of("launch", "--cpus", cpu(), "--loops", "2", "X");

        assertThat(outcome.err()).contains("2 loops", "1 CPU");
        assertThat(outcome.status()).isEqualTo(2);
    }

    private static void refused(String message, String application) {
        var outcome = Outcome.of("launch", application);

        assertThat(outcome.errorLines()).singleElement().asString().contains(message);
        assertThat(outcome.status()).isEqualTo(2);
    }

    private static Path jar(Path directory, Class<?> main, Class<?>... classes) throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (main != null) {
            manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, main.getName());
        }
        var path = directory.resolve("application.jar");
        try (OutputStream file = Files.newOutputStream(path);
                var jar = new JarOutputStream(file, manifest)) {
            for (var type : classes) {
                var name = type.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new JarEntry(name));
                try (var bytes = type.getClassLoader().getResourceAsStream(name)) {
                    bytes.transferTo(jar);
                }
            }
        }
        return path;
    }
}
