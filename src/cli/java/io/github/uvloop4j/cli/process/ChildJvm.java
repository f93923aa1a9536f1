package io.github.uvloop4j.cli.process;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/**
 * The command that starts another JVM like this one, with another command of this program.
 *
 * @param main the program's main class
 * @param parts one class of each jar that the program consists of, the main class's included or not
 */
public record ChildJvm(Class<?> main, Collection<Class<?>> parts) {
    private static final List<String> INHERITED =
            List.of("-X", "-D", "--add-opens", "--add-exports", "--enable-native-access", "--enable-preview");
    private static final List<String> FLAGS =
            List.of("--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED");

    /** What was made for the class path of this program does not fit another. */
    private static final List<String> OF_CLASS_PATH =
            List.of("-XX:AOT", "-XX:SharedArchiveFile", "-XX:SharedClassListFile");

    /** The full command line: java, the flags of this JVM, then {@code jvmOptions}, the program and {@code arguments}. */
    public List<String> command(List<String> jvmOptions, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(java());
        command.addAll(inheritedFlags());
        command.addAll(jvmOptions);
        var own = origin(main);
        if (isRunnable(own)) {
            command.add("-jar");
            command.add(own);
        } else {
            var jars = jars();
            jars.addFirst(own);
            command.addAll(FLAGS);
            command.add("-cp");
            command.add(String.join(File.pathSeparator, jars));
            command.add(main.getName());
        }
        command.addAll(arguments);
        return command;
    }

    /**
     * The command line of a JVM for others: java, the flags of this JVM, then {@code jvmOptions}, then a class path that
     * begins with theirs and ends with this program, and a main class of this program.
     */
    public List<String> command(Class<?> other, List<String> jvmOptions, String classPath, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(java());
        inheritedFlags().stream()
                .filter(flag -> OF_CLASS_PATH.stream().noneMatch(flag::startsWith))
                .forEach(command::add);
        command.addAll(FLAGS);
        command.addAll(jvmOptions);
        var path = jars();
        path.addFirst(origin(main));
        path.addFirst(classPath);
        command.add("-cp");
        command.add(String.join(File.pathSeparator, path));
        command.add(other.getName());
        command.addAll(arguments);
        return command;
    }

    private LinkedHashSet<String> jars() {
        return parts.stream().map(ChildJvm::origin).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static List<String> inheritedFlags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> INHERITED.stream().anyMatch(flag::startsWith))
                .filter(flag -> !flag.startsWith("-Xbootclasspath"))
                .toList();
    }

    private boolean isRunnable(String origin) {
        if (!origin.endsWith(".jar")) {
            return false;
        }
        try (var jar = new JarFile(origin)) {
            var manifest = jar.getManifest();
            return manifest != null
                    && main.getName().equals(manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS));
        } catch (IOException _) {
            return false;
        }
    }

    private static String origin(Class<?> part) {
        try {
            return Path.of(part.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no path to the jar of " + part, e);
        }
    }
}
