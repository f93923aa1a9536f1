package io.github.uvloop4j.cli.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * What is to be launched.
 *
 * @param mainClass the name of its class
 * @param classPath where that and what it uses is found
 * @param flags what its manifest asks of the JVM
 */
public record LaunchTarget(String mainClass, String classPath, List<String> flags) {
    private static final String JAR = ".jar";
    private static final String MANIFEST_OPENS = "Add-Opens";
    private static final String MANIFEST_EXPORTS = "Add-Exports";

    /**
     * Finds it.
     *
     * @param name of a class; or the path of a jar with a main class, by its end {@code .jar}
     * @param classPath the user's; null for none
     * @param standard the class path of a class if the user gives none
     * @throws IllegalArgumentException in one line, when the jar is none, or has no main class
     */
    public static LaunchTarget of(String name, @Nullable String classPath, String standard) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("no class: the name is empty");
        }
        if (!name.endsWith(JAR)) {
            return new LaunchTarget(name, classPath == null ? standard : classPath, List.of());
        }
        var path = Path.of(name);
        if (!Files.isRegularFile(path)) {
            throw new IllegalArgumentException("no such jar: " + name);
        }
        var attributes = manifest(path);
        var main = attributes.getValue(Attributes.Name.MAIN_CLASS);
        if (main == null || main.isBlank()) {
            throw new IllegalArgumentException("no Main-Class in the manifest of " + name);
        }
        var flags = new ArrayList<String>();
        add(flags, "--add-opens=", attributes.getValue(MANIFEST_OPENS));
        add(flags, "--add-exports=", attributes.getValue(MANIFEST_EXPORTS));
        return new LaunchTarget(main.strip(), classPath == null ? name : name + File.pathSeparator + classPath, flags);
    }

    private static Attributes manifest(Path path) {
        try (var jar = new JarFile(path.toFile())) {
            var manifest = jar.getManifest();
            return manifest == null ? new Attributes() : manifest.getMainAttributes();
        } catch (IOException e) {
            throw new IllegalArgumentException("not a jar: " + path + " (" + e.getMessage() + ')', e);
        }
    }

    /** What java does itself for a jar that it is given by -jar. */
    private static void add(List<String> flags, String flag, @Nullable String packages) {
        if (packages != null && !packages.isBlank()) {
            for (var name : packages.strip().split("\\s+", -1)) {
                flags.add(flag + name + "=ALL-UNNAMED");
            }
        }
    }
}
