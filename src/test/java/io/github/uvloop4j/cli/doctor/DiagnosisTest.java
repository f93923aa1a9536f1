package io.github.uvloop4j.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.cli.observe.Activity;
import io.github.uvloop4j.cli.observe.BlockingCall;
import io.github.uvloop4j.cli.observe.Counter;
import io.github.uvloop4j.cli.observe.CpuLoad;
import io.github.uvloop4j.cli.observe.Distribution;
import io.github.uvloop4j.cli.observe.Lookup;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.Oversleep;
import io.github.uvloop4j.cli.observe.Pause;
import io.github.uvloop4j.cli.observe.Seen;
import io.github.uvloop4j.cli.observe.Share;
import io.github.uvloop4j.cli.observe.TaskOutcomes;
import io.github.uvloop4j.cli.observe.Turn;
import io.github.uvloop4j.cli.observe.Wait;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each finding comes with its evidence, and not without. */
class DiagnosisTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final String FRAME = "demo.Server.crunch(Server.java:7)";

    private static Seen.Loop loop() {
        return Seen.loop("one");
    }

    private static Seen.Loop busy(double share) {
        return loop().count(Counter.BUSY, (long) (share * 10 * SECOND))
                .count(Counter.POLLED, (long) ((1 - share) * 10 * SECOND));
    }

    private static Seen.Loop polls(double busy, long ready, long timers, long events) {
        return busy(busy)
                .count(Counter.POLLS_FOR_READY, ready)
                .count(Counter.POLLS_FOR_TIMERS, timers)
                .count(Counter.POLLS_FOR_EVENTS, events);
    }

    private static Turn turn(double end, long millis) {
        return new Turn(Seen.at(end), millis * MILLI, millis * MILLI, 0, 2, 1);
    }

    private static List<CpuLoad> load(double machine) {
        return List.of(new CpuLoad(Seen.at(1), 0.2, machine), new CpuLoad(Seen.at(2), 0.2, machine));
    }

    private static Wait wait(Wait.Kind kind, long millis) {
        return new Wait(Seen.at(1), kind, millis * MILLI, FRAME, "demo.Lock");
    }

    private static Arguments found(String kind, String says, Observation seen) {
        return Arguments.of(kind, says, seen);
    }

    static Stream<Arguments> evidence() {
        return Stream.of(
                found(
                        "stall",
                        "one was kept twice by demo.Server.crunch, for up to 300 ms",
                        Seen.of(loop().stalls(
                                        Seen.stall(1, 300, FRAME),
                                        Seen.stall(2, 250, "demo.Server.crunch(Server.java:9)")))),
                found(
                        "stuck",
                        "stuck in demo.Server.crunch",
                        Seen.of(loop().stuckAt("java.lang.Thread.sleep0(Thread.java)", FRAME))),
                found(
                        "stuck",
                        "stuck in demo.Server.crunch",
                        Seen.of(loop().stuckAt("jdk.internal.vm.Continuation.run(Continuation.java:251)")
                                .samples(FRAME, 90, 0))),
                found(
                        "blocking_call",
                        "blocking call java.lang.Thread.sleep on one, 3 times",
                        Seen.of(loop().blockingCalls(new BlockingCall("java.lang.Thread.sleep", FRAME, 3)))),
                found(
                        "blocked",
                        "waits for a monitor that another thread holds",
                        Seen.of(loop().waits(wait(Wait.Kind.MONITOR, 40)))),
                found("saturated", "one is busy 95 % of the time", Seen.of(busy(0.95))),
                found(
                        "ready_never_empties",
                        "poll returns at once 92 % of the time on one: the ready queue never empties",
                        Seen.of(polls(0.8, 920, 40, 40))),
                found("timers_wake_often", "timers wake one 1,000 times a second", Seen.of(polls(0.1, 0, 10_000, 0))),
                found(
                        "no_statistics",
                        "one keeps no statistics",
                        Seen.of(loop().count(Counter.BUSY, 0)
                                .count(Counter.POLLED, 0)
                                .count(Counter.TASKS_MADE, 5))),
                found(
                        "hot_code",
                        "80 % of the samples of one are in demo.Server.crunch",
                        Seen.of(busy(0.6).samples(FRAME, 80, 20))),
                found(
                        "shared_cpus",
                        "two loops share CPU 0",
                        Seen.of(loop().cpus("0"), Seen.loop("two").cpus("0"))),
                found(
                        "shared_cpus",
                        "three loops share CPUs 0-1",
                        Seen.of(
                                loop().cpus("0-1"),
                                Seen.loop("two").cpus("1"),
                                Seen.loop("three").cpus("0-1"))),
                found(
                        "unequal_connections",
                        "one has 90 % of the connections",
                        Seen.of(loop().connections(90, 90), Seen.loop("two").connections(10, 10))),
                found("unequal_work", "one is busy 80 % of the time", Seen.of(busy(0.8), Seen.loop("two"))),
                found(
                        "baton",
                        "tasks run on the baton",
                        Seen.of(loop().tasksRide("baton").count(Counter.TASKS_MADE, 3))),
                found(
                        "gc_pauses",
                        "the garbage collector explains 1 long turn of one",
                        Seen.with(
                                List.of(new Pause(Seen.at(4.9), 90 * MILLI, "G1")),
                                List.of(),
                                loop().turns(turn(5, 100)))),
                found(
                        "long_turns",
                        "3 turns of one kept its thread for 10 ms or longer, up to 50 ms",
                        Seen.of(loop().times(Distribution.TURNS, 50 * MILLI, 3))),
                found(
                        "ready_delay",
                        "what is ready waits for its turn",
                        Seen.of(loop().times(Distribution.READY_DELAY, 30 * MILLI, 40))),
                found(
                        "slow_posts",
                        "a post to the sleeping loop takes",
                        Seen.of(loop().times(Distribution.WAKE_DELAY, 30 * MILLI, 40))),
                found(
                        "late_timers",
                        "timers are late by",
                        Seen.of(loop().times(Distribution.TIMER_LATENESS, 30 * MILLI, 40))),
                found(
                        "oversleeps",
                        "5 polls of one outlasted their limit, by 2 s together: the machine is overloaded",
                        Seen.of(loop().count(Counter.OVERSLEEPS, 5).count(Counter.OVERSLEPT, 2 * SECOND))),
                found(
                        "oversleeps",
                        "or was suspended",
                        Seen.of(loop().count(Counter.OVERSLEEPS, 1)
                                .count(Counter.OVERSLEPT, 8 * SECOND)
                                .oversleeps(new Oversleep(Seen.at(9), MILLI, 8 * SECOND)))),
                found("machine_full", "the machine's CPUs are 97 % busy", Seen.with(List.of(), load(0.97), loop())),
                found("waits_for_cpu", "has no CPU 40 % of the time", Seen.of(loop().schedule(1, 4))),
                found(
                        "gc_share",
                        "stands still 10 % of the time",
                        Seen.with(List.of(new Pause(Seen.at(2), SECOND, "Full")), List.of(), loop())),
                found("tasks_grow", "from 10 to 110", Seen.of(loop().tasks(10, 30, 50, 70, 90, 110))),
                found(
                        "tasks_fail",
                        "tasks \"conn-#\" of one fail: 20 of 50",
                        Seen.of(loop().outcomes(new TaskOutcomes("conn-#", 30, 20, 0, "java.io.IOException: no")))),
                found(
                        "slow_lookups",
                        "3 look-ups of host names took 100 ms or longer",
                        Seen.of(loop().lookups(lookup(150), lookup(250), lookup(350)))),
                found(
                        "writers_paused",
                        "writers of one were paused 50 times",
                        Seen.of(loop().count(Counter.PAUSES, 50))),
                found(
                        "connections_lost",
                        "7 connections of one ended with an error",
                        Seen.of(loop().lost(new Share("ECONNRESET", 7, 7)))));
    }

    private static Lookup lookup(long millis) {
        return new Lookup(Seen.at(1), "db.example", millis * MILLI, "");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("evidence")
    void evidenceGivesTheFinding(String kind, String says, Observation seen) {
        var found = Diagnosis.of(seen).findings().stream()
                .filter(finding -> finding.kind().equals(kind))
                .toList();

        assertThat(found).hasSize(1);
        var finding = found.getFirst();
        assertThat(finding.title()).contains(says);
        assertThat(finding.evidence()).isNotEmpty().noneMatch(String::isBlank);
        assertThat(finding.advice()).isNotBlank();
        assertThat(finding.weight()).isBetween(0.1, 1.0);
    }

    static Stream<Arguments> tooLittle() {
        return Stream.of(
                found("", "", Seen.of()),
                found("", "", Seen.of(loop())),
                found("", "", Seen.of(loop(), Seen.loop("two"))),
                found("stuck", "", Seen.of(loop())),
                found("blocked", "", Seen.of(loop())),
                found("saturated", "", Seen.of(busy(0.85))),
                found("ready_never_empties", "", Seen.of(polls(0.8, 70, 0, 30))),
                found("ready_never_empties", "", Seen.of(polls(0.2, 990, 0, 10))),
                found("ready_never_empties", "", Seen.of(polls(0.8, 10, 0, 0))),
                found("timers_wake_often", "", Seen.of(polls(0.1, 0, 1000, 0))),
                found("timers_wake_often", "", Seen.of(polls(0.1, 0, 10_000, 0).count(Counter.EVENTS, 9000))),
                found("no_statistics", "", Seen.of(loop().count(Counter.BUSY, 0).count(Counter.POLLED, 0))),
                found("hot_code", "", Seen.of(busy(0.6).samples(FRAME, 8, 2))),
                found("hot_code", "", Seen.of(busy(0.6).samples(FRAME, 20, 80).count(Counter.BUSY, 0))),
                found(
                        "shared_cpus",
                        "",
                        Seen.of(loop().cpus("0"), Seen.loop("two").cpus("1"))),
                found(
                        "shared_cpus",
                        "",
                        Seen.of(loop().cpus("0-1"), Seen.loop("two").cpus("0-1"))),
                found(
                        "shared_cpus",
                        "",
                        Seen.of(loop().cpus("0"), Seen.loop("two").cpus("0").stopped())),
                found(
                        "shared_cpus",
                        "",
                        Seen.of(loop().cpus("odd"), Seen.loop("two").cpus(""))),
                found("unequal_connections", "", Seen.of(loop().connections(9, 9))),
                found("unequal_connections", "", Seen.of(loop().connections(5, 5), Seen.loop("two"))),
                found(
                        "unequal_connections",
                        "",
                        Seen.of(loop().connections(60, 60), Seen.loop("two").connections(40, 40))),
                found("unequal_work", "", Seen.of(loop(), Seen.loop("two").count(Counter.BUSY, 0))),
                found("baton", "", Seen.of(loop().tasksRide("baton"))),
                found("gc_pauses", "", Seen.of(loop().turns(turn(5, 100)))),
                found(
                        "gc_pauses",
                        "",
                        Seen.with(
                                List.of(new Pause(Seen.at(2), 90 * MILLI, "G1")),
                                List.of(),
                                loop().turns(turn(5, 100)))),
                found("long_turns", "", Seen.of(loop().times(Distribution.TURNS, 8 * MILLI, 9))),
                found(
                        "long_turns",
                        "",
                        Seen.of(loop().times(Distribution.TURNS, 300 * MILLI, 1).stalls(Seen.stall(1, 300, FRAME)))),
                found(
                        "long_turns",
                        "",
                        Seen.with(
                                List.of(new Pause(Seen.at(4.9), 90 * MILLI, "G1")),
                                List.of(),
                                loop().times(Distribution.TURNS, 100 * MILLI, 1).turns(turn(5, 100)))),
                found("ready_delay", "", Seen.of(loop().times(Distribution.READY_DELAY, MILLI, 400))),
                found("slow_posts", "", Seen.of(loop().times(Distribution.WAKE_DELAY, 30 * MILLI, 4))),
                found(
                        "oversleeps",
                        "",
                        Seen.of(loop().count(Counter.OVERSLEEPS, 2).count(Counter.OVERSLEPT, 4 * MILLI))),
                found("machine_full", "", Seen.with(List.of(), load(0.7), loop())),
                found("waits_for_cpu", "", Seen.of(loop().schedule(8, 0.2))),
                found("gc_share", "", Seen.with(List.of(new Pause(Seen.at(2), 9 * MILLI, "G1")), List.of(), loop())),
                found("tasks_grow", "", Seen.of(loop().tasks(10, 10, 10, 10, 110, 110))),
                found("tasks_grow", "", Seen.of(loop().tasks(10, 110, 110, 110, 110, 110))),
                found("tasks_grow", "", Seen.of(loop().tasks(10, 90, 20, 70, 30, 60))),
                found("tasks_grow", "", Seen.of(loop().tasks(10, 110))),
                found("tasks_fail", "", Seen.of(loop().outcomes(new TaskOutcomes("a", 3000, 20, 0, "x")))),
                found("tasks_fail", "", Seen.of(loop().outcomes(new TaskOutcomes("a", 0, 2, 90, "x")))),
                found("slow_lookups", "", Seen.of(loop().lookups(lookup(30), lookup(40), lookup(50), lookup(200)))),
                found("writers_paused", "", Seen.of(loop().count(Counter.PAUSES, 2))),
                found("connections_lost", "", Seen.of(loop().lost(new Share("ECONNRESET", 2, 2)))));
    }

    @ParameterizedTest(name = "{0} {2}")
    @MethodSource("tooLittle")
    void noEvidenceNoFinding(String kind, String unused, Observation seen) {
        var kinds = Diagnosis.of(seen).findings().stream().map(Finding::kind);

        if (kind.isEmpty()) {
            assertThat(kinds).isEmpty();
        } else {
            assertThat(kinds).doesNotContain(kind);
        }
    }

    @Test
    void theWeightiestComesFirst() {
        var seen = Seen.of(
                busy(0.97).samples(FRAME, 30, 70).stalls(Seen.stall(1, 4000, FRAME)),
                Seen.loop("two").lost(new Share("x", 9, 9)));

        assertThat(Diagnosis.of(seen).findings())
                .hasSizeGreaterThan(3)
                .isSortedAccordingTo((a, b) -> Double.compare(b.weight(), a.weight()))
                .first()
                .extracting(Finding::kind)
                .isEqualTo("stall");
    }

    @Test
    void stallsOfOneMethodAreOne() {
        var seen = Seen.of(loop().stalls(
                        Seen.stall(1, 150, "demo.A.b(A.java:1)"),
                        Seen.stall(2, 160, "demo.A.b(A.java:2)"),
                        Seen.stall(3, 170, "demo.C.d(C.java:3)")));

        assertThat(Diagnosis.of(seen).findings())
                .extracting(finding -> finding.numbers().get("method"))
                .containsExactlyInAnyOrder("demo.A.b", "demo.C.d");
    }

    @Test
    void theBatonIsToldWithTheFlagThatEndsIt() {
        var seen = Seen.of(loop().tasksRide("baton").count(Counter.TASKS_MADE, 3));

        assertThat(Diagnosis.of(seen).findings())
                .singleElement()
                .extracting(Finding::advice)
                .asString()
                .contains(
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=io.github.uvloop4j");
    }

    @Test
    void aLoopWithoutCpuIsNotBlamedForItsLongTurns() {
        var slow = loop().times(Distribution.TURNS, 50 * MILLI, 3).turns(turn(5, 50));
        var alone = Diagnosis.of(Seen.of(slow)).findings();
        var without = Diagnosis.of(Seen.of(slow.schedule(1, 4))).findings();

        assertThat(alone).extracting(Finding::advice).anyMatch(advice -> advice.contains("single ones take long"));
        assertThat(without).extracting(Finding::advice).noneMatch(advice -> advice.contains("single ones take long"));
        assertThat(without).extracting(Finding::kind).contains("long_turns", "waits_for_cpu");
    }

    @Test
    void tasksThatGrowWithTheirConnectionsWeighLess() {
        var alone = Diagnosis.of(Seen.of(loop().tasks(10, 30, 50, 70, 90, 110))).findings();
        var together = Diagnosis.of(
                        Seen.of(loop().tasks(10, 30, 50, 70, 90, 110).connections(10, 30, 50, 70, 90, 110)))
                .findings();

        assertThat(together.getFirst().weight()).isLessThan(alone.getFirst().weight());
        assertThat(together.getFirst().evidence().toString()).contains("connections grew too, from 10 to 110");
    }

    @Test
    void aLoopThatWasSeenOnceGivesNoRates() {
        var seen = new Observation(
                "a", Seen.BEGIN, Seen.BEGIN, List.of(), List.of(), List.of(), "", Activity.NONE, List.of());

        assertThat(Diagnosis.of(seen).findings()).isEmpty();
    }
}
