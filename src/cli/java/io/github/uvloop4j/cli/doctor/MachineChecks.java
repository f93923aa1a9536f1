package io.github.uvloop4j.cli.doctor;

import io.github.uvloop4j.cli.observe.Counter;
import io.github.uvloop4j.cli.observe.CpuLoad;
import io.github.uvloop4j.cli.observe.LoopReport;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.Oversleep;
import io.github.uvloop4j.cli.observe.Pause;
import io.github.uvloop4j.cli.observe.Words;
import java.util.stream.Stream;

/** What is not the loops' fault: the machine and the JVM. */
final class MachineChecks {
    private static final double FULL = 0.9;
    private static final double SHARE = 0.01;
    private static final double WAITED = 0.1;
    private static final double PAUSED = 0.02;
    private static final long NOTABLE_NANOS = 100_000_000L;
    private static final long SUSPENDED_NANOS = 5_000_000_000L;

    private MachineChecks() {}

    /** Polls that outlasted their limit. */
    static Stream<Finding> oversleeps(Observation seen) {
        return LoadChecks.spans(seen).flatMap(loop -> {
            var span = loop.span();
            var together = span.count(Counter.OVERSLEPT);
            var longest = loop.report().oversleeps().stream()
                    .mapToLong(Oversleep::nanos)
                    .max()
                    .orElse(0);
            var share = span.seconds() > 0 ? together / 1e9 / span.seconds() : 0;
            if (span.count(Counter.OVERSLEEPS) == 0 || (share < SHARE && longest < NOTABLE_NANOS)) {
                return Stream.empty();
            }
            var suspended = longest >= SUSPENDED_NANOS;
            return Stream.of(Draft.of(
                            "oversleeps",
                            0.4 + 0.4 * Math.min(1, share * 5),
                            loop.report(),
                            Words.many(span.count(Counter.OVERSLEEPS), "poll") + " of " + loop.label()
                                    + " outlasted their limit, by " + Words.time(together)
                                    + " together: the machine is "
                                    + (suspended ? "overloaded, or was suspended" : "overloaded"))
                    .evidence(
                            longest > 0
                                    ? "The longest came back " + Words.time(longest) + " late"
                                    : "In the mean " + Words.time(together / (double) span.count(Counter.OVERSLEEPS))
                                            + " late")
                    .number("count", span.count(Counter.OVERSLEEPS))
                    .number("together_ms", together / 1e6)
                    .number("longest_ms", longest / 1e6)
                    .advice(
                            "The loop's thread was ready and got no CPU: run less beside it, pin it to a CPU of its own,"
                                    + " or look at the host of a virtual machine."));
        });
    }

    /** A machine without a free CPU. */
    static Stream<Finding> load(Observation seen) {
        var machine = seen.cpuLoads().stream().mapToDouble(CpuLoad::machine).average();
        var jvm = seen.cpuLoads().stream().mapToDouble(CpuLoad::jvm).average().orElse(0);
        if (machine.isEmpty() || machine.getAsDouble() < FULL || seen.cpuLoads().size() < 2) {
            return Stream.empty();
        }
        return Stream.of(Draft.of(
                        "machine_full",
                        0.55,
                        java.util.List.<LoopReport>of(),
                        "the machine's CPUs are " + Words.percent(machine.getAsDouble()) + " busy")
                .evidence("This JVM has " + Words.percent(jvm) + " of them, others "
                        + Words.percent(Math.max(0, machine.getAsDouble() - jvm)))
                .number("machine_share", machine.getAsDouble())
                .number("jvm_share", jvm)
                .advice("Whatever loops do, they wait for a CPU now and then: run less here, or have more CPUs."));
    }

    /** Whether its thread waits for a CPU more than now and then. */
    static boolean lacksCpu(LoopReport loop) {
        var schedule = loop.schedule();
        return schedule != null && schedule.seconds() > 0 && schedule.waitedSeconds() >= WAITED * schedule.seconds();
    }

    /** Threads of loops that wait for a CPU. */
    static Stream<Finding> cpuWaits(Observation seen) {
        return seen.loops().stream().flatMap(loop -> {
            var schedule = loop.schedule();
            if (schedule == null || !lacksCpu(loop)) {
                return Stream.empty();
            }
            var share = schedule.waitedSeconds() / schedule.seconds();
            return Stream.of(
                    Draft.of(
                                    "waits_for_cpu",
                                    0.45 + 0.4 * Math.min(1, share * 2),
                                    loop,
                                    "the thread of " + loop.label() + " wants to run and has no CPU "
                                            + Words.percent(share) + " of the time")
                            .evidence("In " + Words.seconds(schedule.seconds()) + " it ran "
                                    + Words.seconds(schedule.ranSeconds())
                                    + " and waited " + Words.seconds(schedule.waitedSeconds()) + ", says the kernel"
                                    + (loop.identity().cpus().isEmpty()
                                            ? ""
                                            : "; it may use CPUs "
                                                    + loop.identity().cpus()))
                            .number("waited_share", share)
                            .number("ran_seconds", schedule.ranSeconds())
                            .number("waited_seconds", schedule.waitedSeconds())
                            .advice(
                                    "Others run on its CPUs: pin it to one that they do not use, or give the machine less to do."));
        });
    }

    /** A collector that takes much of the time. */
    static Stream<Finding> pauses(Observation seen) {
        var together = seen.pauses().stream().mapToLong(Pause::nanos).sum();
        var share = seen.seconds() > 0 ? together / 1e9 / seen.seconds() : 0;
        if (share < PAUSED) {
            return Stream.empty();
        }
        return Stream.of(
                Draft.of(
                                "gc_share",
                                0.35 + 0.5 * Math.min(1, share * 2),
                                java.util.List.<LoopReport>of(),
                                "the JVM stands still " + Words.percent(share)
                                        + " of the time for the garbage collector")
                        .evidence(Words.many(seen.pauses().size(), "pause") + ", " + Words.time(together) + " together")
                        .number("paused_share", share)
                        .number("pauses", seen.pauses().size())
                        .advice(
                                "Allocate less, give the heap more room, or take a collector with short pauses (-XX:+UseZGC)."));
    }
}
