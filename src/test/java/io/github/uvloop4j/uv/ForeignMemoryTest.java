package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sources must not do with the foreign function interface, as measured. */
class ForeignMemoryTest {
    private static final Path SOURCES = Path.of("src/main/java/io/github/uvloop4j");

    private static List<String> filesThatSay(String text) throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.startsWith(SOURCES.resolve("ffi")))
                    .filter(file -> read(file).contains(text))
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void noSharedArenaIsEverClosed() throws Exception {
        assertThat(filesThatSay("ofShared")).isEmpty();
    }

    /** A critical call that calls back ends the JVM: only what never does so may be one. */
    @Test
    void onlyCallsThatNeverCallBackAreCritical() throws Exception {
        assertThat(filesThatSay("Option.critical(")).containsExactly("HotCalls.java", "SocketCalls.java");
        assertThat(read(SOURCES.resolve("uv/HotCalls.java")).split("Option\\.critical\\(false\\)", -1))
                .hasSize(2);
        assertThat(read(SOURCES.resolve("transport/SocketCalls.java")).split("Option\\.critical\\(true\\)", -1))
                .hasSize(3);
    }
}
