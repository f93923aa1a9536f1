package io.github.uvloop4j.guard;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Finds the agent, or attaches it: by this JVM itself if it may, else by another one that lives for a moment. What is
 * attached is a small jar of its own, so that it works from class directories and shaded jars too.
 */
final class Attach {
    private static final long LIMIT_SECONDS = 20;

    private static @Nullable String refused;

    private Attach() {}

    /** Never on a loop thread. Attaches at most once. */
    static synchronized Instrumentation instrumentation() {
        var found = loaded();
        if (found != null) {
            return found;
        }
        if (refused == null) {
            refused = attach();
            found = loaded();
            if (found != null) {
                return found;
            }
        }
        throw new GuardUnavailableException("no guard: the agent is not loaded, and attaching it failed ("
                + (refused.isEmpty() ? "it was loaded by another class loader" : refused)
                + "). Start java with -javaagent:"
                + library() + ". The watch, which reports what keeps a loop for long, works without it");
    }

    /** As the JVM loaded it: that class may be another one than ours, of the system's class loader. */
    private static @Nullable Instrumentation loaded() {
        Object given = GuardAgent.instrumentation();
        if (given == null) {
            try {
                given = ClassLoader.getSystemClassLoader()
                        .loadClass(GuardAgent.class.getName())
                        .getMethod("instrumentation")
                        .invoke(null);
            } catch (ReflectiveOperationException | LinkageError e) {
                return null;
            }
        }
        if (given == null) {
            return null;
        }
        // Attaching loads the module of that class, which ours could not read when it was resolved.
        Attach.class.getModule().addReads(given.getClass().getModule());
        return (Instrumentation) given;
    }

    /** Why it failed; empty when it seems to have worked. */
    private static String attach() {
        Path jar = null;
        try {
            jar = agentJar();
            return mayAttachItself() ? attachItself(jar) : attachByAnother(jar);
        } catch (IOException | LinkageError e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        } finally {
            delete(jar);
        }
    }

    private static boolean mayAttachItself() {
        var allowed = System.getProperty("jdk.attach.allowAttachSelf");
        return allowed != null && !allowed.equals("false");
    }

    private static String attachItself(Path jar) {
        var result = AttachMain.attach(String.valueOf(ProcessHandle.current().pid()), jar.toString());
        return result == null ? "" : result;
    }

    private static String attachByAnother(Path jar) throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java");
        if (!Files.isExecutable(java)) {
            return "this runtime has no " + java + " to attach with";
        }
        var output = Files.createTempFile("uvloop4j-attach", ".txt");
        try {
            var child = new ProcessBuilder(
                            java.toString(),
                            "-Xshare:auto",
                            "-XX:TieredStopAtLevel=1",
                            "--add-modules=jdk.attach",
                            "-cp",
                            jar.toString(),
                            AttachMain.class.getName(),
                            String.valueOf(ProcessHandle.current().pid()),
                            jar.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            child.getOutputStream().close();
            if (!child.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                child.destroyForcibly().waitFor();
                return "no answer within " + LIMIT_SECONDS + " s";
            }
            var said = Files.readString(output, StandardCharsets.UTF_8).strip();
            return child.exitValue() == 0 ? "" : said.isEmpty() ? "status " + child.exitValue() : said;
        } finally {
            delete(output);
        }
    }

    private static Path agentJar() throws IOException {
        var manifest = new Manifest();
        var attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Agent-Class", GuardAgent.class.getName());
        attributes.putValue("Can-Retransform-Classes", "true");
        attributes.putValue("Can-Redefine-Classes", "true");
        var path = Files.createTempFile("uvloop4j-agent", ".jar");
        try (OutputStream out = Files.newOutputStream(path);
                var jar = new JarOutputStream(out, manifest)) {
            add(jar, GuardAgent.class);
            add(jar, AttachMain.class);
        }
        return path;
    }

    private static void add(JarOutputStream jar, Class<?> type) throws IOException {
        var name = type.getName().replace('.', '/') + ".class";
        var simple = name.substring(name.lastIndexOf('/') + 1);
        try (var bytes = Objects.requireNonNull(type.getResourceAsStream(simple), name)) {
            jar.putNextEntry(new JarEntry(name));
            bytes.transferTo(jar);
            jar.closeEntry();
        }
    }

    private static void delete(@Nullable Path path) {
        try {
            if (path != null) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            path.toFile().deleteOnExit();
        }
    }

    /** Where this library is, for the flag. */
    private static String library() {
        try {
            var source = GuardAgent.class.getProtectionDomain().getCodeSource();
            var path = source == null ? null : Path.of(source.getLocation().toURI());
            return path != null && Files.isRegularFile(path) ? path.toString() : "uvloop4j.jar";
        } catch (Exception unknown) {
            return "uvloop4j.jar";
        }
    }
}
