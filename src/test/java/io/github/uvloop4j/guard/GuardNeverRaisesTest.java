package io.github.uvloop4j.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** False alarms that other guards are known for. */
class GuardNeverRaisesTest {
    @TempDir
    Path directory;

    @TestFactory
    @Tag("cells")
    Stream<DynamicTest> noneOfTheseRaisesOnTheLoopThread() throws Exception {
        return Checks.tests(run("loop"));
    }

    @TestFactory
    @Tag("carrier")
    Stream<DynamicTest> noneOfTheseRaisesInATask() throws Exception {
        return Checks.tests(run("task"));
    }

    private Map<String, String> run(String where) throws Exception {
        var child = new ChildJvm().flag("-javaagent:" + AgentJar.in(directory));
        var said = Checks.run(child, NeverRaisesMain.class, where, jar().toString());
        assertThat(said).containsKey("the guard is there");
        return said;
    }

    private Path jar() throws Exception {
        var jar = directory.resolve("classes.jar");
        var name = NeverRaisesMain.class.getName().replace('.', '/') + ".class";
        try (var out = new JarOutputStream(Files.newOutputStream(jar));
                var bytes = Objects.requireNonNull(getClass().getClassLoader().getResourceAsStream(name))) {
            out.putNextEntry(new JarEntry(name));
            bytes.transferTo(out);
        }
        return jar;
    }
}
