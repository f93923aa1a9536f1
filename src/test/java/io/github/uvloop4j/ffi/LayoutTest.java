package io.github.uvloop4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Layouts, constants and run-time sizes against what a C compiler makes of the same headers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LayoutTest {
    private final Map<String, Long> compiled = new HashMap<>();
    private final Map<String, Long> layouts = new TreeMap<>();
    private ProbeRun run;

    @BeforeAll
    void compile(@TempDir Path directory) throws Exception {
        var header = CoverageTest.header();
        run = ProbeRun.withLibrary(LibraryTest.pinned());
        collectLayouts();
        var expressions = new ArrayList<>(layouts.keySet());
        for (var filter : List.of(Filter.of("uv"), Filter.of("libc"))) {
            expressions.addAll(filter.constants());
        }
        expressions.remove("UV_VERSION_SUFFIX"); // a string
        expressions.addAll(opaqueTypes().keySet());
        evaluate(expressions, header.getParent(), directory);
    }

    @Test
    void structsAreLaidOutAsInC() {
        assertThat(layouts).hasSizeGreaterThan(200);
        assertThat(differences(layouts)).isEmpty();
    }

    @Test
    void constantsHaveTheirValueInC() throws Exception {
        var constants = new TreeMap<>(run.values("constant"));
        assertThat(constants).hasSizeGreaterThan(700);
        assertThat(differences(constants)).isEmpty();
    }

    @Test
    void sizesAskedAtRunTimeAreThoseOfTheHeader() {
        var sizes = opaqueTypes();
        assertThat(sizes).hasSizeGreaterThan(25);
        assertThat(differences(sizes)).isEmpty();
    }

    private List<String> differences(Map<String, Long> java) {
        return java.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(compiled.get(entry.getKey())))
                .map(entry -> entry + " in Java, " + compiled.get(entry.getKey()) + " in C")
                .toList();
    }

    private Map<String, Long> opaqueTypes() {
        var sizes = new TreeMap<String, Long>();
        for (var kind : List.of("loop", "handle", "request")) {
            run.values(kind).forEach((type, size) -> sizes.put("sizeof(" + type + ")", size));
        }
        return sizes;
    }

    private void collectLayouts() throws Exception {
        for (var filter : List.of(Filter.of("uv"), Filter.of("libc"))) {
            for (var type : filter.structs()) {
                var layout =
                        (GroupLayout) Filter.generated(type).getMethod("layout").invoke(null);
                layouts.put("sizeof(" + type + ")", layout.byteSize());
                layout.memberLayouts().stream()
                        .map(MemoryLayout::name)
                        .flatMap(name -> name.stream())
                        .forEach(field -> collectField(type, layout, field));
            }
        }
    }

    private void collectField(String type, GroupLayout layout, String field) {
        var path = PathElement.groupElement(field);
        layouts.put("offsetof(" + type + ", " + field + ")", layout.byteOffset(path));
        var size = layout.select(path).byteSize();
        if (size > 0) { // a flexible array has an offset, but C gives it no size
            layouts.put("sizeof(((" + type + " *) 0)->" + field + ")", size);
        }
    }

    private void evaluate(List<String> expressions, Path include, Path directory) throws Exception {
        var program = directory.resolve("values.c");
        var lines = new ArrayList<String>();
        lines.add("#include \"libc.h\"");
        lines.add("#include <stddef.h>");
        lines.add("#include <uv.h>");
        lines.add("int main(void) {");
        expressions.forEach(expression -> lines.add("  printf(\"%d\\n\", (int) (" + expression + "));"));
        lines.add("}");
        Files.write(program, lines);
        var binary = directory.resolve("values").toString();
        var natives = Filter.NATIVE.toAbsolutePath().toString();
        ProbeRun.output(List.of(compiler(), "-w", "-I" + natives, "-I" + include, "-o", binary, program.toString()));
        var values = ProbeRun.output(List.of(binary)).lines().toList();
        assertThat(values).hasSameSizeAs(expressions);
        for (var i = 0; i < values.size(); i++) {
            compiled.put(expressions.get(i), Long.valueOf(values.get(i)));
        }
    }

    private static String compiler() {
        var found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, "cc"))
                .anyMatch(Files::isExecutable);
        Assumptions.assumeTrue(found, "there is no C compiler (cc) on PATH");
        return "cc";
    }
}
