package io.github.uvloop4j.cli.doctor;

import io.github.uvloop4j.cli.observe.Observation;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What was found, the weightiest first. Immutable. Any thread.
 *
 * @param seen what it was found in
 * @param findings what that is
 */
public record Diagnosis(Observation seen, List<Finding> findings) {
    private static final List<Function<Observation, Stream<Finding>>> CHECKS = List.of(
            StallChecks::stuck,
            StallChecks::stalls,
            StallChecks::blockingCalls,
            StallChecks::waits,
            LoadChecks::saturated,
            LoadChecks::readyNeverEmpties,
            LoadChecks::timersWake,
            LoadChecks::hotFrames,
            LoadChecks::blank,
            PlacementChecks::sharedCpus,
            PlacementChecks::connections,
            PlacementChecks::work,
            PlacementChecks::baton,
            DelayChecks::collector,
            DelayChecks::longTurns,
            DelayChecks::readyDelay,
            DelayChecks::wakeDelay,
            DelayChecks::timers,
            MachineChecks::oversleeps,
            MachineChecks::load,
            MachineChecks::cpuWaits,
            MachineChecks::pauses,
            TaskChecks::growth,
            TaskChecks::failures,
            TaskChecks::lookups,
            TaskChecks::pauses,
            TaskChecks::lost);

    /** Copies the list. */
    public Diagnosis {
        findings = List.copyOf(findings);
    }

    /** Makes all checks. */
    public static Diagnosis of(Observation seen) {
        return new Diagnosis(
                seen,
                CHECKS.stream()
                        .flatMap(check -> check.apply(seen))
                        .sorted(Comparator.comparingDouble(Finding::weight).reversed())
                        .toList());
    }
}
