package io.github.uvloop4j.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What lies in the jars that are published beside the classes. */
class AttachedJarsIT {
    @Test
    void libraryHasItsModuleAndNothingOfTheCommandLine() throws IOException {
        assertThat(entries(Project.LIBRARY))
                .contains("module-info.class", "io/github/uvloop4j/EventLoop.class")
                .noneMatch(name -> name.startsWith("io/github/uvloop4j/cli/") || name.startsWith("picocli/"));
    }

    @Test
    void sourcesOfTheLibraryAreAttached() throws IOException {
        assertThat(entries(sibling("sources"))).contains("module-info.java", "io/github/uvloop4j/EventLoop.java");
    }

    @Test
    void javadocOfTheExportedPackagesIsAttached() throws IOException {
        assertThat(entries(sibling("javadoc")))
                .contains("io.github.uvloop4j/io/github/uvloop4j/EventLoop.html")
                .noneMatch(name -> name.contains("/uvloop4j/ffi/") || name.contains("/uvloop4j/transport/"));
    }

    @Test
    void packedLibuvComesWithItsLicence() throws IOException {
        assumeTrue(Project.natives().isPresent(), "libuv could not be built here, so there is no natives jar");
        var directory = "META-INF/native/linux-x86_64/";
        for (var jar : List.of(Project.NATIVES, Project.RUNNABLE)) {
            assertThat(entries(jar)).contains(directory + "libuv.so.1", directory + "LICENSE");
        }
    }

    private static Path sibling(String classifier) {
        var name = Project.LIBRARY.getFileName().toString().replace(".jar", "-" + classifier + ".jar");
        return Project.LIBRARY.resolveSibling(name);
    }

    private static List<String> entries(Path jar) throws IOException {
        try (var file = new JarFile(jar.toFile())) {
            return file.stream().map(ZipEntry::getName).toList();
        }
    }
}
