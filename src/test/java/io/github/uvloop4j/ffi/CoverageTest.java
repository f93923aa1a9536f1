package io.github.uvloop4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bindings hold all that the header declares and the filters name. */
class CoverageTest {
    private static final Pattern EXPORTED = Pattern.compile("UV_EXTERN\\s[^;{]*?\\b(uv_\\w+)\\s*\\(");

    @Test
    void filterNamesEveryFunctionOfTheHeader() throws Exception {
        var declared = new TreeSet<String>();
        var text = Files.readString(header());
        EXPORTED.matcher(text).results().forEach(match -> declared.add(match.group(1)));
        assertThat(declared).hasSizeGreaterThanOrEqualTo(316);
        assertThat(Filter.of("uv").functions()).containsExactlyInAnyOrderElementsOf(declared);
    }

    @Test
    void filterNamesEveryCallbackOfTheHeader() throws Exception {
        var declared = new TreeSet<String>();
        Pattern.compile("typedef [\\w* ]+\\(\\*(uv_\\w+)\\)")
                .matcher(Files.readString(header()))
                .results()
                .forEach(match -> declared.add(match.group(1)));
        assertThat(declared).hasSizeGreaterThanOrEqualTo(31);
        assertThat(Filter.of("uv").callbacks()).containsExactlyInAnyOrderElementsOf(declared);
    }

    @ParameterizedTest
    @MethodSource("io.github.uvloop4j.ffi.Filter#all")
    void everyFunctionIsBound(Filter filter) throws Exception {
        assertThat(bound(Filter.generated(filter.header()))).containsExactlyInAnyOrderElementsOf(filter.functions());
    }

    @ParameterizedTest
    @MethodSource("io.github.uvloop4j.ffi.Filter#all")
    void everyConstantIsBound(Filter filter) throws Exception {
        var methods = Stream.of(Filter.generated(filter.header()).getMethods())
                .filter(method -> method.getParameterCount() == 0)
                .map(method -> method.getName())
                .toList();
        assertThat(methods).containsAll(filter.constants());
    }

    @ParameterizedTest
    @MethodSource("io.github.uvloop4j.ffi.Filter#all")
    void everyStructHasALayout(Filter filter) throws Exception {
        for (var struct : filter.structs()) {
            assertThat(Filter.generated(struct).getMethod("layout")).as(struct).isNotNull();
        }
    }

    @Test
    void everyCallbackCanBeAllocated() throws Exception {
        for (var callback : Filter.of("uv").callbacks()) {
            var names = Stream.of(Filter.generated(callback).getMethods()).map(method -> method.getName());
            assertThat(names).as(callback).contains("allocate", "descriptor");
        }
    }

    @Test
    void bindingsAreOfThePinnedVersion() throws Exception {
        var pinned = pinnedVersion();
        assertThat(Files.readString(Path.of(System.getProperty("basedir", ""), sources("package-info.java"))))
                .contains("libuv " + pinned + ",")
                .contains("Linux x86_64");
    }

    /** The header of the pinned version, or a skipped test where nobody has unpacked it. */
    static Path header() throws IOException {
        var header = Filter.NATIVE.resolve("build/libuv-" + pinnedVersion() + "/include/uv.h");
        Assumptions.assumeTrue(Files.exists(header), "native/build.sh has not unpacked uv.h");
        return header;
    }

    private static String pinnedVersion() throws IOException {
        var pin = new Properties();
        try (var reader = Files.newBufferedReader(Filter.NATIVE.resolve("libuv.pin"))) {
            pin.load(reader);
        }
        return pin.getProperty("LIBUV_VERSION");
    }

    private static String sources(String file) {
        return "src/main/java/" + CoverageTest.class.getPackageName().replace('.', '/') + "/" + file;
    }

    private static Set<String> bound(Class<?> header) {
        var names = new TreeSet<String>();
        for (var method : header.getMethods()) {
            if (method.getName().endsWith("$address")) {
                names.add(method.getName().replace("$address", ""));
            }
        }
        List.of(header.getClasses()).forEach(variadic -> names.add(variadic.getSimpleName()));
        return names;
    }
}
