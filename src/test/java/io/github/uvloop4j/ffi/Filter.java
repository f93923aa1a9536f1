package io.github.uvloop4j.ffi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What {@code native/jextract-*.includes} asks jextract for. */
record Filter(String header, List<String> lines) {
    static final Path NATIVE = Path.of(System.getProperty("basedir", ""), "native");

    /** The filter of the header class {@code uv} or {@code libc}. */
    static Filter of(String header) throws IOException {
        return new Filter(header, Files.readAllLines(NATIVE.resolve("jextract-" + header + ".includes")));
    }

    static Stream<Filter> all() throws IOException {
        return Stream.of(of("uv"), of("libc"));
    }

    List<String> functions() {
        return names("function").toList();
    }

    List<String> constants() {
        return names("constant").toList();
    }

    List<String> callbacks() {
        return names("typedef").filter(Filter::isCallback).toList();
    }

    /** Structs and unions as C spells their types: {@code struct sockaddr}, {@code uv_stat_t}. */
    List<String> structs() {
        return Stream.of(
                        names("struct").map(name -> "struct " + name),
                        names("union").map(name -> "union " + name),
                        names("typedef").filter(name -> !isCallback(name)))
                .flatMap(names -> names)
                .toList();
    }

    /** The generated class of a function pointer, struct or header, not initialized. */
    static Class<?> generated(String cType) throws ClassNotFoundException {
        var name = cType.substring(cType.lastIndexOf(' ') + 1);
        return Class.forName(Filter.class.getPackageName() + "." + name, false, Filter.class.getClassLoader());
    }

    @Override
    public String toString() {
        return header;
    }

    private Stream<String> names(String kind) {
        var option = "--include-" + kind + " ";
        return lines.stream().filter(line -> line.startsWith(option)).map(line -> line.substring(option.length()));
    }

    private static boolean isCallback(String name) {
        return name.endsWith("_cb") || name.endsWith("_func");
    }
}
