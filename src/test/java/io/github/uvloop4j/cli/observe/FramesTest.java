package io.github.uvloop4j.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FramesTest {
    @Test
    void tellsTheProgramFromTheLibraryAndThePlatform() {
        assertThat(List.of(
                        "demo.Server.handle(Server.java:1)",
                        "Main.main(Main.java)",
                        "io.github.uvloop4j.examples.Tour.main(Tour.java:3)",
                        "javafoo.Bar.x(Bar.java)"))
                .allMatch(Frames::isOfProgram);
        assertThat(List.of(
                        "java.lang.Thread.sleep0(Thread.java)",
                        "jdk.internal.misc.Unsafe.park(Unsafe.java)",
                        "io.github.uvloop4j.Scheduler.turn(Scheduler.java:1)",
                        "io.github.uvloop4j.Scheduler$1.run(Scheduler.java:1)",
                        "io.github.uvloop4j.carrier.LoopTask.run(LoopTask.java:88)",
                        ""))
                .noneMatch(Frames::isOfProgram);
    }

    @Test
    void theTellingFrameIsTheInnermostOfTheProgram() {
        assertThat(Frames.telling(List.of("java.lang.Math.abs(Math.java)", "demo.A.b(A.java:2)", "demo.C.d(C.java:3)")))
                .isEqualTo("demo.A.b(A.java:2)");
        assertThat(Frames.telling(List.of("java.lang.Math.abs(Math.java)"))).isEqualTo("java.lang.Math.abs(Math.java)");
        assertThat(Frames.telling(List.of())).isEqualTo("unknown");
    }

    @Test
    void whoRunsTheLoopIsNotWhatItRuns() {
        assertThat(Frames.telling(List.of(
                        "io.github.uvloop4j.uv.UvStream.read(UvStream.java:1)",
                        "io.github.uvloop4j.Scheduler.turn(Scheduler.java:304)",
                        "demo.Main.main(Main.java:3)")))
                .isEqualTo("io.github.uvloop4j.uv.UvStream.read(UvStream.java:1)");
    }

    @Test
    void aMethodIsAFrameWithoutItsLine() {
        assertThat(Frames.method("demo.A.b(A.java:2)")).isEqualTo("demo.A.b");
        assertThat(Frames.method("odd")).isEqualTo("odd");
    }

    @Test
    void addressesInNamesAreLeftOut() {
        assertThat(Frames.named("demo.A$$Lambda/0x00000000460977e0")).isEqualTo("demo.A$$Lambda");
        assertThat(Frames.named("java.lang.invoke.LambdaForm$MH.0x000000003b108000"))
                .isEqualTo("java.lang.invoke.LambdaForm$MH");
        assertThat(Frames.named("demo.A")).isEqualTo("demo.A");
    }

    @Test
    void theLoopInItsPollIsNotStuck() {
        assertThat(StuckLoops.isInPoll(List.of(
                        "java.lang.invoke.LambdaForm$MH.invoke(LambdaForm)",
                        "io.github.uvloop4j.uv.HotCalls.run(HotCalls.java:51)",
                        "io.github.uvloop4j.Scheduler.turn(Scheduler.java:304)")))
                .isTrue();
        assertThat(StuckLoops.isInPoll(List.of(
                        "demo.A.readAll(A.java:2)",
                        "io.github.uvloop4j.uv.UvStream.read(UvStream.java:1)",
                        "io.github.uvloop4j.Scheduler.turn(Scheduler.java:304)")))
                .isFalse();
        assertThat(StuckLoops.isInPoll(List.of("java.lang.Thread.run(Thread.java:1)")))
                .isFalse();
    }
}
