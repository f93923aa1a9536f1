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
                    var reference = good.stream()
                            .filter(run ->
                                    run.cell().equals(cell) && run.server().equals(settings.reference()))
                            .toList();
                    summaries.add(summary(runs, reference));
                }
            }
        }
        return new Results(good, judged.stream().filter(run -> !run.isGood()).toList(), summaries);
    }

    /**
     * A run far above the other rounds of the same server was most likely no run at all; unless the other servers were
     * as much faster in that round, because the machine was.
     */
    private static Run judge(Run run, List<Run> all) {
        var others = rates(all, run.server(), run, false);
        var usual = Statistics.median(others) * Math.max(1, speedOfRound(run, all));
        var rate = run.value(Metric.MESSAGES_PER_SECOND);
        return run.isGood() && others.length + 1 >= ROUNDS_TO_COMPARE && rate > SUSPICIOUS * usual
                ? run.rejected("suspiciously fast: " + Metric.MESSAGES_PER_SECOND.format(rate) + " messages/s, "
                        + Metric.MESSAGES_PER_SECOND.format(usual) + " in the other rounds")
                : run;
    }

    /** How fast the other servers were in the round of a run, against their own other rounds; 1 when there are none. */
    private static double speedOfRound(Run run, List<Run> all) {
        var speeds = all.stream()
                .map(Run::server)
                .distinct()
                .filter(server -> !server.equals(run.server()))
                .mapToDouble(server -> Statistics.median(rates(all, server, run, true))
                        / Statistics.median(rates(all, server, run, false)))
                .filter(Double::isFinite)
                .toArray();
        return speeds.length == 0 ? 1 : Statistics.median(speeds);
    }

    private static double[] rates(List<Run> all, String server, Run of, boolean sameRound) {
        return all.stream()
                .filter(other -> other.isGood() && other.cell().equals(of.cell()))
                .filter(other -> other.server().equals(server) && (other.round() == of.round()) == sameRound)
                .mapToDouble(other -> other.value(Metric.MESSAGES_PER_SECOND))
                .toArray();
    }

    private static Summary summary(List<Run> runs, List<Run> reference) {
        var medians = new EnumMap<Metric, Double>(Metric.class);
        for (var metric : Metric.values()) {
            medians.put(metric, Statistics.median(values(runs.stream(), metric).toArray()));
        }
        var ratios = new EnumMap<Metric, Statistics.Ratio>(Metric.class);
        for (var metric : COMPARED) {
            ratios.put(metric, Statistics.ratio(ratios(runs, reference, metric).toArray()));
        }
        var first = runs.getFirst();
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
