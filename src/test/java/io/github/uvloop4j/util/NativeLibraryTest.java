package io.github.uvloop4j.util;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where libuv is looked for, and what is said when it is not there. Each in a JVM of its own: it is loaded once. */
@Timeout(60)
class NativeLibraryTest {
    private static final String PROPERTY = "-Duvloop4j.libuv=";

    /** The class path has no packed libuv: the property is given and empty. */
    private static final String NO_PROPERTY = PROPERTY;

    private static String run(ChildJvm jvm) throws IOException, InterruptedException {
        var result = jvm.run(LoadMain.class);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    private static ChildJvm with(Object library) {
        return new ChildJvm().flag(PROPERTY + library);
    }

    @Test
    void propertyNamesTheFile(@TempDir Path directory) throws Exception {
        var copy = Files.copy(anyLibrary(), directory.resolve("some-uv.so"));
        assertThat(run(with(copy)).lines())
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).startsWith("loaded 1.").contains("from property uvloop4j.libuv: " + copy));
    }

    @Test
    void missingFileIsNamedWithWhatToDo() throws Exception {
        assertThat(run(with("/no/such/libuv.so")))
                .contains("UnsatisfiedLinkError")
                .contains("property uvloop4j.libuv: /no/such/libuv.so: no such file")
                .contains("apt-get install libuv1")
                .doesNotContain("packed", "the system's");
    }

    @Test
    void secondTrySaysTheSame() throws Exception {
        assertThat(run(with("/no/such/libuv.so")).lines().filter(line -> line.contains("no such file")))
                .hasSize(2);
    }

    @Test
    void wrongFileIsRefusedByTheLoader(@TempDir Path directory) throws Exception {
        var text = Files.writeString(directory.resolve("libuv.so.1"), "no library");
        assertThat(run(with(text)))
                .contains("UnsatisfiedLinkError", text.toString())
                .contains("the dynamic loader refuses it");
    }

    @Test
    void otherLibraryIsNotLibuv() throws Exception {
        var libc = List.of("/lib/x86_64-linux-gnu/libm.so.6", "/usr/lib64/libm.so.6", "/lib64/libm.so.6").stream()
                .filter(path -> Files.exists(Path.of(path)))
                .findFirst();
        Assumptions.assumeTrue(libc.isPresent(), "no libm.so.6 where it is looked for");
        assertThat(run(with(libc.get()))).contains("has no uv_run, so it is not libuv");
    }

    @Test
    void oldLibuvIsRefusedWithBothVersions(@TempDir Path directory) throws Exception {
        var library = compile(
                directory,
                "int uv_run(void *l, int m) { return 0; } unsigned uv_version(void) { return 1 << 16 | 40 << 8; }",
                "libuv.so.1");
        assertThat(run(with(library)))
                .contains("UnsatisfiedLinkError")
                .contains("libuv 1.40.0 from property uvloop4j.libuv: " + library)
                .contains("is too old: 1.44.2 or newer is needed");
    }

    @Test
    void libraryThatTheBindingsWouldNotFindIsRefused(@TempDir Path directory) throws Exception {
        var library = compile(
                directory,
                "int uv_run(void *l, int m) { return 0; } unsigned uv_version(void) { return 1 << 16 | 50 << 8; }",
                "libother.so.1");
        assertThat(run(with(library)))
                .contains("UnsatisfiedLinkError", library.toString())
                .contains("its SONAME is not libuv.so.1")
                .doesNotContain("loaded");
    }

    private static Path compile(Path directory, String source, String soname) throws Exception {
        var file = Files.writeString(directory.resolve("tiny.c"), source);
        var library = directory.resolve("tiny.so");
        try {
            var compiler = new ProcessBuilder(
                            "cc",
                            "-shared",
                            "-fPIC",
                            "-Wl,-soname," + soname,
                            "-o",
                            library.toString(),
                            file.toString())
                    .redirectErrorStream(true)
                    .start();
            assertThat(new String(compiler.getInputStream().readAllBytes())).isEmpty();
            assertThat(compiler.waitFor()).isZero();
        } catch (IOException e) {
            Assumptions.abort("no C compiler: " + e.getMessage());
        }
        return library;
    }

    @Test
    void packedLibraryIsUsedWithoutAProperty(@TempDir Path directory) throws Exception {
        pack(directory, Files.readAllBytes(anyLibrary()));
        assertThat(run(withPacked(directory)))
                .contains("loaded 1.", "from packed META-INF/native/linux-x86_64/libuv.so.1");
    }

    @Test
    void packedLibraryThatIsBrokenLeavesTheSystems(@TempDir Path directory) throws Exception {
        assumeSystemLibrary();
        pack(directory, "no library".getBytes());
        assertThat(run(withPacked(directory))).contains("loaded 1.", "from the system's libuv.so.1");
    }

    @Test
    @Tag("cells")
    void systemsLibraryIsTheLastResort() throws Exception {
        assumeSystemLibrary();
        assertThat(run(new ChildJvm().flag(NO_PROPERTY))).contains("loaded 1.", "from the system's libuv.so.1");
    }

    @Test
    void everyTryIsListed(@TempDir Path directory) throws Exception {
        pack(directory, "no library".getBytes());
        var broken = Files.createDirectory(directory.resolve("loader"));
        Files.writeString(broken.resolve("libuv.so.1"), "no library either");
        var output = run(withPacked(directory).environment("LD_LIBRARY_PATH", broken.toString()));
        assertThat(output)
                .contains("libuv cannot be loaded; tried:")
                .contains("packed META-INF/native/linux-x86_64/libuv.so.1: the dynamic loader refuses it")
                .contains("the system's libuv.so.1: not found by the dynamic loader");
    }

    @Test
    void noTemporaryFileStays(@TempDir Path directory) throws Exception {
        pack(directory, Files.readAllBytes(anyLibrary()));
        var temporary = Files.createDirectory(directory.resolve("tmp"));
        run(withPacked(directory).flag("-Djava.io.tmpdir=" + temporary));
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void temporaryDirectoryThatIsMissingIsNamed(@TempDir Path directory) throws Exception {
        pack(directory, Files.readAllBytes(anyLibrary()));
        var broken = Files.createDirectory(directory.resolve("loader"));
        Files.writeString(broken.resolve("libuv.so.1"), "no library");
        var output = run(withPacked(directory)
                .flag("-Djava.io.tmpdir=" + directory.resolve("missing"))
                .environment("LD_LIBRARY_PATH", broken.toString()));
        assertThat(output).contains("cannot be unpacked to " + directory.resolve("missing"));
    }

    @Test
    void refusedNativeAccessNamesTheFlag() throws Exception {
        var output = run(new ChildJvm().withoutNativeAccess().flag("--illegal-native-access=deny"));
        assertThat(output.lines().filter(line -> line.startsWith("IllegalCallerException")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).endsWith("start java with --enable-native-access=ALL-UNNAMED"));
    }

    private static ChildJvm withPacked(Path directory) {
        return new ChildJvm().flag(NO_PROPERTY).flag("-Xbootclasspath/a:" + directory);
    }

    private static void pack(Path directory, byte[] library) throws IOException {
        var place = Files.createDirectories(directory.resolve("META-INF/native/linux-x86_64"));
        Files.write(place.resolve("libuv.so.1"), library);
    }

    private static Path anyLibrary() {
        for (var candidate : List.of(
                Path.of("native/build/libuv.so.1"),
                Path.of("/usr/lib/x86_64-linux-gnu/libuv.so.1"),
                Path.of("/usr/lib64/libuv.so.1"))) {
            if (Files.exists(candidate)) {
                return candidate.toAbsolutePath();
            }
        }
        return Assumptions.<Path>abort("neither a pinned libuv nor the system's");
    }

    private static void assumeSystemLibrary() {
        try (var arena = Arena.ofConfined()) {
            SymbolLookup.libraryLookup("libuv.so.1", arena);
        } catch (IllegalArgumentException e) {
            Assumptions.abort("this system has no libuv.so.1");
        }
    }
}
