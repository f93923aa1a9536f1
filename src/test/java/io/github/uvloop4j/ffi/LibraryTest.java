package io.github.uvloop4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bindings on a real libuv: which file they use, and what becomes of functions that it lacks. */
class LibraryTest {
    /** What came to libuv after 1.44.2, the oldest version that is supported. */
    private static final Set<String> YOUNGER = Set.of(
            "uv_clock_gettime",
            "uv_cpumask_size",
            "uv_get_available_memory",
            "uv_getrusage_thread",
            "uv_metrics_info",
            "uv_os_free_group",
            "uv_os_get_group",
            "uv_os_get_passwd2",
            "uv_pipe_bind2",
            "uv_pipe_connect2",
            "uv_thread_detach",
            "uv_thread_getaffinity",
            "uv_thread_getcpu",
            "uv_thread_getname",
            "uv_thread_getpriority",
            "uv_thread_setaffinity",
            "uv_thread_setname",
            "uv_thread_setpriority",
            "uv_udp_try_send2",
            "uv_utf16_length_as_wtf8",
            "uv_utf16_to_wtf8",
            "uv_wtf8_length_as_utf16",
            "uv_wtf8_to_utf16");

    @Test
    void libraryOpenedFirstServesWhateverItsFileIsCalled(@TempDir Path directory) throws Exception {
        var chosen = Files.copy(pinned(), directory.resolve("chosen-uv.so"));
        var run = ProbeRun.withLibrary(chosen.toRealPath());
        assertThat(run.names("library")).containsExactly(chosen.toRealPath().toString());
    }

    @Test
    void pinnedLibraryHasEveryFunction() throws Exception {
        var run = ProbeRun.withLibrary(pinned());
        assertThat(run.names("missing")).isEmpty();
        assertThat(run.names("resolved")).containsAll(Filter.of("uv").functions());
        assertThat(run.names("resolved")).containsAll(Filter.of("libc").functions());
    }

    @Test
    void olderLibraryLacksOnlyYoungerFunctions() throws Exception {
        assumeSystemLibrary();
        var run = ProbeRun.withSystemLibrary();
        assertThat(run.names("missing")).isSubsetOf(YOUNGER);
        assertThat(run.names("resolved")).contains("uv_run", "uv_loop_configure", "uv_try_write2");
    }

    static Path pinned() {
        var library = Filter.NATIVE.resolve("build/libuv.so.1");
        Assumptions.assumeTrue(Files.exists(library), "native/build.sh has not built libuv");
        return library.toAbsolutePath();
    }

    private static void assumeSystemLibrary() {
        try (var arena = Arena.ofConfined()) {
            SymbolLookup.libraryLookup("libuv.so.1", arena);
        } catch (IllegalArgumentException e) {
            Assumptions.abort("this system has no libuv.so.1");
        }
    }
}
