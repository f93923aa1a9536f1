package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.Thrown;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callbacks throw or close, in every kind of callback, in a JVM that would end if it got out. */
@Timeout(90)
class UpcallTest {
    @Test
    @Tag("cells")
    void whateverACallbackThrowsOrClosesTheLoopGoesOn() throws Exception {
        var expected = new ArrayList<String>();
        for (var kind : UpcallKind.values()) {
            for (var thrown : Thrown.values()) {
                expected.add(kind + " " + thrown + " told");
            }
            expected.add(kind + " closed []");
        }
        var result = new ChildJvm().flag("-Xmx128m").run(UpcallMain.class);
        assertThat(result.output().lines()).containsExactlyElementsOf(expected);
        assertThat(result.exitCode()).isZero();
    }
}
