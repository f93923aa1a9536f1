package io.github.uvloop4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The output of a {@link BindingsProbe} in a JVM of its own. */
record ProbeRun(List<String[]> facts) {
    static ProbeRun withLibrary(Path libuv) throws IOException, InterruptedException {
        return start(libuv.toString());
    }

    static ProbeRun withSystemLibrary() throws IOException, InterruptedException {
        return start();
    }

    List<String> names(String kind) {
        return of(kind).map(fact -> fact[1]).toList();
    }

    Map<String, Long> values(String kind) {
        return of(kind).collect(Collectors.toMap(fact -> fact[1], fact -> Long.valueOf(fact[2])));
    }

    /** Runs a command to its end and returns its output; one that fails or takes a minute fails the test. */
    static String output(List<String> command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            var text = new String(process.getInputStream().readAllBytes());
            assertThat(process.waitFor(1, TimeUnit.MINUTES))
                    .as("%s ended", command)
                    .isTrue();
            assertThat(process.exitValue()).as(text).isZero();
            return text;
        } finally {
            process.destroyForcibly();
        }
    }

    private Stream<String[]> of(String kind) {
        return facts.stream().filter(fact -> fact[0].equals(kind));
    }

    private static ProbeRun start(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xshare:auto", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", location(uv.class) + ":" + location(BindingsProbe.class)));
        command.add(BindingsProbe.class.getName());
        command.addAll(List.of(arguments));
        return new ProbeRun(output(command).lines().map(line -> line.split(" ")).toList());
    }

    private static String location(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }
}
