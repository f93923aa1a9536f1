package io.github.uvloop4j.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A jar with the agent's manifest only: its classes are on the class path of the tests. */
final class AgentJar {
    private AgentJar() {}

    /** Writes it into a directory. */
    static Path in(Path directory) throws IOException {
        var manifest = new Manifest();
        var attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", GuardAgent.class.getName());
        attributes.putValue("Agent-Class", GuardAgent.class.getName());
        attributes.putValue("Can-Retransform-Classes", "true");
        attributes.putValue("Can-Redefine-Classes", "true");
        var jar = directory.resolve("agent.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.flush();
        }
        return jar;
    }
}
