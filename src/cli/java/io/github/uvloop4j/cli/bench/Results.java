package io.github.uvloop4j.cli.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * All runs of a comparison, the failed ones apart.
 *
 * @param runs that count
 * @param failures runs that do not
 * @param summaries one for each server and load with runs that count
 */
public record Results(List<Run> runs, List<Run> failures, List<Summary> summaries) {
    private static final double SUSPICIOUS = 3;
    private static final int ROUNDS_TO_COMPARE = 3;
    private static final List<Metric> COMPARED =
            List.of(Metric.MESSAGES_PER_SECOND, Metric.SERVER_CPU_US_PER_MESSAGE, Metric.P99_US);
    private static final List<Metric> COMPARED_WITH_LOOPS = List.of(
            Metric.MESSAGES_PER_SECOND, Metric.SERVER_CPU_US_PER_MESSAGE, Metric.P50_US, Metric.P99_US, Metric.P999_US);

    /** Sorts the runs out and sums them up. */
    static Results of(BenchSettings settings, List<Run> all) {
        var judged = all.stream().map(run -> judge(run, all)).toList();
        var good = judged.stream().filter(Run::isGood).toList();
        var summaries = new ArrayList<Summary>();
        for (var cell : settings.cells()) {
            for (var server : settings.servers()) {
                var runs = good.stream()
                        .filter(run -> run.cell().equals(cell) && run.server().equals(server.name()))
                        .toList();
                if (!runs.isEmpty()) {
                    var name = settings.referenceOf(server);
                    var reference = good.stream()
                            .filter(run ->
                                    run.cell().equals(cell) && run.server().equals(name))
                            .toList();
                    summaries.add(summary(runs, reference));
                }
            }
        }
        return new Results(good, judged.stream().filter(run -> !run.isGood()).toList(), summaries);
    }

    /**
     * A run far above the other rounds of the same server, at far less CPU a message, was most likely no run at all. The
     * rate alone tells little: the machine itself may change its speed.
     */
    private static Run judge(Run run, List<Run> all) {
        var others = all.stream()
                .filter(other -> other.isGood() && other.round() != run.round())
                .filter(other ->
                        other.server().equals(run.server()) && other.cell().equals(run.cell()))
                .toList();
        if (!run.isGood() || others.size() + 1 < ROUNDS_TO_COMPARE) {
            return run;
        }
        var rate = run.value(Metric.MESSAGES_PER_SECOND);
        var usual = Statistics.median(
                values(others.stream(), Metric.MESSAGES_PER_SECOND).toArray());
        var usualCpu = Statistics.median(
                values(others.stream(), Metric.SERVER_CPU_US_PER_MESSAGE).toArray());
        return rate > SUSPICIOUS * usual && run.value(Metric.SERVER_CPU_US_PER_MESSAGE) * SUSPICIOUS < usualCpu
                ? run.rejected("suspiciously fast: " + Metric.MESSAGES_PER_SECOND.format(rate) + " messages/s, "
                        + Metric.MESSAGES_PER_SECOND.format(usual) + " in the other rounds")
                : run;
    }

    private static Summary summary(List<Run> runs, List<Run> reference) {
        var medians = new EnumMap<Metric, Double>(Metric.class);
        var first = runs.getFirst();
        for (var metric : first.cell().metrics()) {
            medians.put(metric, Statistics.median(values(runs.stream(), metric).toArray()));
        }
        var ratios = new EnumMap<Metric, Statistics.Ratio>(Metric.class);
        for (var metric : first.cell().tellsLoops() ? COMPARED_WITH_LOOPS : COMPARED) {
            ratios.put(metric, Statistics.ratio(ratios(runs, reference, metric).toArray()));
        }
        var firstReply = Statistics.median(
                runs.stream().mapToDouble(Run::firstReplyMillis).toArray());
        return new Summary(first.server(), first.cell(), runs.size(), medians, ratios, firstReply);
    }

    private static DoubleStream values(Stream<Run> runs, Metric metric) {
        return runs.mapToDouble(run -> run.value(metric));
    }

    /** Pairs each run with the reference's run of the same round, so that what slows a whole round cancels out. */
    private static DoubleStream ratios(List<Run> runs, List<Run> reference, Metric metric) {
        return runs.stream()
                .flatMapToDouble(run -> values(reference.stream().filter(other -> other.round() == run.round()), metric)
                        .map(value -> run.value(metric) / value));
    }

    List<Map<String, Object>> runFields() {
        return runs.stream().map(Run::fields).toList();
    }

    List<Map<String, Object>> failureFields() {
        return failures.stream().map(Run::fields).toList();
    }

    List<Map<String, Object>> medianFields() {
        return summaries.stream().map(Summary::fields).toList();
    }
}
