package io.github.uvloop4j;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The layering of the library: which package may use which. Names are relative to the root package, which is
 * {@link #ROOT}. Whoever adds a package or an edge adds it here, and sees that it goes down.
 */
final class PackageTable {
    static final String BASE = "io.github.uvloop4j";
    static final String ROOT = "(root)";

    /** One package: whether module-info exports it, and the packages it may use. */
    record Row(boolean exported, Set<String> mayUse) {}

    static final Map<String, Row> ROWS = rows();

    private PackageTable() {}

    private static Map<String, Row> rows() {
        var rows = new LinkedHashMap<String, Row>();
        internal(rows, "util", "");
        exported(rows, "concurrent", "util");
        exported(rows, "observe", "concurrent");
        exported(rows, "sync", "concurrent util");
        exported(rows, "work", "affinity concurrent util");
        internal(rows, "ffi", "");
        exported(rows, "uv", "ffi util");
        exported(rows, "affinity", "ffi util");
        exported(rows, "dns", "uv affinity ffi util");
        exported(rows, "tls", "");
        exported(rows, "net", "dns tls concurrent sync");
        exported(rows, "pool", "net concurrent util");
        exported(rows, "process", "concurrent");
        exported(rows, "fs", "concurrent");
        internal(rows, "carrier", "affinity observe concurrent util");
        internal(rows, "jfr", "carrier observe affinity concurrent util");
        internal(rows, "transport", "observe net dns process fs uv affinity ffi sync tls concurrent util");
        exported(rows, ROOT, "jfr observe transport carrier net dns process fs uv affinity sync work concurrent util");
        exported(rows, "guard", "(root) jfr carrier concurrent util");
        internal(rows, "cli", "(root) guard observe carrier uv tls net process fs affinity sync work concurrent");
        internal(rows, "observe.export", "(root) concurrent");
        exported(rows, "observe.micrometer", "(root) observe.export concurrent");
        exported(rows, "observe.opentelemetry", "(root) observe observe.export concurrent");
        return rows;
    }

    /** The table's name of a package: relative to the root, the command line with all its parts as one. */
    static String nameOf(String packageName) {
        var relative =
                packageName.replaceFirst("^" + Pattern.quote(BASE) + "\\.?", "").replaceFirst("\\.$", "");
        return relative.isEmpty() ? ROOT : relative.startsWith("cli.") ? "cli" : relative;
    }

    private static void exported(Map<String, Row> rows, String name, String mayUse) {
        rows.put(name, new Row(true, words(mayUse)));
    }

    private static void internal(Map<String, Row> rows, String name, String mayUse) {
        rows.put(name, new Row(false, words(mayUse)));
    }

    private static Set<String> words(String text) {
        return text.isEmpty() ? Set.of() : Set.of(text.split(" "));
    }
}
