package io.github.uvloop4j.cli.bench;

import io.github.uvloop4j.affinity.Affinity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What results depend on and nobody remembers later: the machine, its kernel and the JDK. */
public final class Machine {
    private Machine() {}

    /** The facts under their JSON keys. */
    public static Map<String, Object> fields() {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("machine", System.getProperty("os.arch"));
        fields.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        fields.put("jdk", System.getProperty("java.vm.name") + " " + Runtime.version());
        fields.put("cpu_model", cpuModel());
        fields.put("cpus_allowed", cpusAllowed());
        return fields;
    }

    private static String cpusAllowed() {
        try {
            return Affinity.allowed().toString();
        } catch (RuntimeException | LinkageError _) {
            return "unknown";
        }
    }

    private static String cpuModel() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException _) {
            return "unknown";
        }
    }
}
