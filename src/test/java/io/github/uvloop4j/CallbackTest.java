package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.Thrown;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What user code throws or closes wherever the loop calls it, in a JVM that would end if it got out. */
@Timeout(90)
class CallbackTest {
    @Test
    @Tag("cells")
    void whateverUserCodeThrowsOrClosesTheLoopGoesOn() throws Exception {
        var expected = new ArrayList<String>();
        for (var kind : CallbackKind.values()) {
            for (var thrown : Thrown.values()) {
                expected.add(kind + " " + thrown + " told");
            }
            for (var how : List.of("closed", "aborted", "reset")) {
                expected.add(kind + " " + how + " []");
            }
        }
        for (var thrown : Thrown.values()) {
            expected.add("HANDLER " + thrown + " called 1");
            expected.add("TASK " + thrown + " caught true");
        }
        // The log's own text, of the handlers that fail, goes to standard error: it is in the output as well.
        var result = new ChildJvm().flag("-Xmx128m").run(CallbackMain.class);
        assertThat(result.output().lines()).containsAll(expected);
        assertThat(result.output()).contains("the exception handler failed");
        assertThat(result.exitCode()).isZero();
    }
}
