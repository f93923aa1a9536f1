package io.github.uvloop4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.TestTls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs that the guides quote run to their end. */
@Timeout(120)
class GuidesTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                TaskGuide.class,
                PinningGuide.class,
                ObservingGuide.class,
                GuardGuide.class,
                NamesGuide.class,
                NetworkGuide.class,
                UnixGuide.class,
                PipeGuide.class,
                MicrometerGuide.class,
                OpenTelemetryGuide.class
            })
    void runs(Class<?> guide) throws Exception {
        var result = new ChildJvm().run(guide);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @Test
    void theGuideToTlsRuns() throws Exception {
        var result = new ChildJvm()
                .run(TlsGuide.class, TestTls.file(".").toAbsolutePath().toString());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("hello world", "go ahead", "secret");
    }

    @Test
    void theGuideToPinningPinsToCpusThatItMayUse() throws Exception {
        var output = new ChildJvm().run(PinningGuide.class).output();
        assertThat(output).contains("on CPU ").contains("steered by ").contains("ended with status 0");
    }
}
