package io.github.uvloop4j.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Promises that are tested in a JVM of their own: the child says what came of each, and each is a test here. */
final class Checks {
    private static final String MARK = "check ";
    private static final String RESULT = " => ";

    /** One promise; it throws when it is broken. */
    interface Check {
        void run() throws Exception;
    }

    private Checks() {}

    /** In the child: keeps a promise, or says how it is broken. */
    static void check(String name, Check check) {
        String result;
        try {
            check.run();
            result = "kept";
        } catch (Throwable e) {
            result = e.toString().replace('\n', ' ');
            e.printStackTrace();
        }
        say(name, result);
    }

    /** In the child: what came of something. */
    static void say(String name, String result) {
        System.out.println(MARK + name + RESULT + result);
    }

    /** Runs a child to its end; what it said, by name. */
    static Map<String, String> run(ChildJvm child, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        var result = child.run(main, arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        var said = new LinkedHashMap<String, String>();
        for (var line : result.output().lines().toList()) {
            int end = line.indexOf(RESULT);
            if (line.startsWith(MARK) && end > 0) {
                said.put(line.substring(MARK.length(), end), line.substring(end + RESULT.length()));
            }
        }
        assertThat(said).as(result.output()).isNotEmpty();
        return said;
    }

    /** A test for each promise that a child tells of. */
    static Stream<DynamicTest> tests(Map<String, String> said) {
        return said.entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.getKey(), () -> assertThat(each.getValue()).isEqualTo("kept")));
    }
}
