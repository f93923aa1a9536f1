package io.github.uvloop4j.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed library in the hands of users, in JVMs of their own. */
class ConsumersIT {
    private static final String RAN =
            "task ran: true\npacked libuv: " + Project.natives().isPresent() + "\n";
    private static final String ACCESS = "--enable-native-access=ALL-UNNAMED";
    private static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";
    private static final String MODULE_ACCESS = "--enable-native-access=io.github.uvloop4j";
    private static final String MODULE_OPENS = "--add-opens=java.base/java.lang=io.github.uvloop4j";
    private static final String DENY = "--illegal-native-access=deny";

    @TempDir
    private Path scratch;

    @Test
    void classPath() throws Exception {
        var project = plain();
        var outcome = project.java(List.of(ACCESS, OPENS, "-cp", classPathOf(project), "plain.Main"));
        assertThat(outcome).isEqualTo(new Project.Outcome(0, RAN, ""));
    }

    @Test
    void classPathWithoutFlags() throws Exception {
        var project = plain();
        var outcome = project.java(List.of("-cp", classPathOf(project), "plain.Main"));
        assertThat(outcome.status()).as(outcome.toString()).isZero();
        assertThat(outcome.out()).isEqualTo(RAN);
    }

    @Test
    void modulePath() throws Exception {
        var project = modular();
        var outcome = project.java(onModulePath(project, MODULE_ACCESS, MODULE_OPENS));
        assertThat(outcome).isEqualTo(new Project.Outcome(0, RAN, ""));
    }

    @Test
    void modulePathWithAnOptionalDependency() throws Exception {
        var project = new Project("metered", scratch);
        var meters = Stream.of(MeterRegistry.class, Observation.class, KeyValue.class)
                .map(ConsumersIT::jarOf)
                .toArray(Path[]::new);
        project.compile("-p", meters);
        var path = Stream.concat(Stream.of(Project.LIBRARY, project.classes()), Stream.of(meters));
        var outcome = project.java(List.of(
                MODULE_ACCESS,
                MODULE_OPENS,
                "-p",
                Project.path(Stream.concat(path, Project.natives().stream())),
                "-m",
                "metered/metered.Main"));
        assertThat(outcome).isEqualTo(new Project.Outcome(0, "tasks: 1.0\nmeters: 0\n", ""));
    }

    private static Path jarOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void twoClassLoadersInOneJvm() throws Exception {
        var plain = plain();
        var loaders = new Project("loaders", scratch);
        loaders.compile("-cp");
        var arguments =
                new ArrayList<>(List.of(ACCESS, OPENS, "-cp", loaders.classes().toString(), "loaders.Main"));
        Stream.concat(Stream.of(Project.LIBRARY, plain.classes()), Project.natives().stream())
                .forEach(entry -> arguments.add(entry.toString()));
        var outcome = loaders.java(arguments);
        assertThat(outcome).isEqualTo(new Project.Outcome(0, RAN.repeat(3), ""));
    }

    @Test
    void refusedNativeAccessNamesTheFlagOnTheClassPath() throws Exception {
        var project = plain();
        var outcome = project.java(List.of(DENY, OPENS, "-cp", classPathOf(project), "plain.Main"));
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.err()).contains(ACCESS);
    }

    @Test
    void refusedNativeAccessNamesTheFlagOnTheModulePath() throws Exception {
        var project = modular();
        var outcome = project.java(onModulePath(project, DENY, MODULE_OPENS));
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.err()).contains(MODULE_ACCESS);
    }

    @Test
    void runnableJarNeedsNoFlags() throws Exception {
        var project = new Project("runnable", scratch);
        var outcome = project.java(List.of("-jar", Project.RUNNABLE.toString(), "info"));
        assertThat(outcome.status()).as(outcome.toString()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).contains("libuv");
    }

    @Test
    void runnableJarLaunchesAClassOfTheUsers() throws Exception {
        var project = plain();
        var outcome = project.java(List.of(
                "-jar",
                Project.RUNNABLE.toString(),
                "launch",
                "-cp",
                project.classes().toString(),
                "plain.Main"));
        assertThat(outcome).isEqualTo(new Project.Outcome(0, RAN, ""));
    }

    private Project plain() throws Exception {
        var project = new Project("plain", scratch);
        project.compile("-cp");
        return project;
    }

    private Project modular() throws Exception {
        var project = new Project("modular", scratch);
        project.compile("-p");
        return project;
    }

    private static String classPathOf(Project project) {
        return Project.path(Stream.concat(Stream.of(Project.LIBRARY, project.classes()), Project.natives().stream()));
    }

    private static List<String> onModulePath(Project project, String... flags) {
        var arguments = new ArrayList<>(List.of(flags));
        var entries = Stream.concat(Stream.of(Project.LIBRARY, project.classes()), Project.natives().stream());
        arguments.addAll(List.of("-p", Project.path(entries)));
        Project.natives().ifPresent(jar -> arguments.add("--add-modules=io.github.uvloop4j.natives"));
        arguments.addAll(List.of("-m", "modular/modular.Main"));
        return arguments;
    }
}
