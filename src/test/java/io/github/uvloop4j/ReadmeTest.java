package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The snippets of the README and of the guides stand in the examples, which are compiled. */
class ReadmeTest {
    private static final Path HOME = Path.of(System.getProperty("basedir", ""));
    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @MethodSource("pages")
    void everySnippetStandsInAnExample(String page) throws IOException {
        var examples = examples();
        var missing = new ArrayList<String>();
        var snippets = snippets(page);
        for (var snippet : snippets) {
            if (examples.stream().noneMatch(example -> example.contains(snippet))) {
                missing.add(snippet);
            }
        }
        assertThat(snippets).isNotEmpty();
        assertThat(missing).isEmpty();
    }

    /** The README, and every guide that shows Java. */
    static List<String> pages() throws IOException {
        try (var guides = Files.list(HOME.resolve("docs"))) {
            var shown = guides.filter(page -> read(page).contains("```java"))
                    .map(page -> "docs/" + page.getFileName())
                    .sorted();
            return Stream.concat(Stream.of("README.md"), shown).toList();
        }
    }

    private static List<String> snippets(String page) throws IOException {
        return SNIPPET.matcher(Files.readString(HOME.resolve(page)))
                .results()
                .map(match -> flat(match.group(1)))
                .toList();
    }

    private static List<String> examples() throws IOException {
        try (var files = Files.walk(HOME.resolve("src/examples"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(ReadmeTest::read)
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return flat(Files.readString(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** The lines without their indentation. */
    private static String flat(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
