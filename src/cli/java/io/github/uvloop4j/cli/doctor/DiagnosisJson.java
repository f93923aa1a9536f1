package io.github.uvloop4j.cli.doctor;

import io.github.uvloop4j.cli.observe.Activity;
import io.github.uvloop4j.cli.observe.CpuLoad;
import io.github.uvloop4j.cli.observe.Figures;
import io.github.uvloop4j.cli.observe.LoopReport;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.Pause;
import io.github.uvloop4j.cli.observe.Share;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A diagnosis under JSON keys. */
public final class DiagnosisJson {
    private DiagnosisJson() {}

    /** All of it. */
    public static Map<String, @Nullable Object> fields(Diagnosis diagnosis) {
        var seen = diagnosis.seen();
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("source", seen.source());
        fields.put("jvm", seen.jvm());
        fields.put("begin", seen.begin().toString());
        fields.put("end", seen.end().toString());
        fields.put("seconds", seen.seconds());
        fields.put("verdict", DiagnosisText.verdict(diagnosis));
        fields.put(
                "findings",
                diagnosis.findings().stream().map(DiagnosisJson::finding).toList());
        fields.put("loops", seen.loops().stream().map(DiagnosisJson::loop).toList());
        fields.put("stalls", stalls(seen));
        fields.put("gc_pauses", seen.pauses().size());
        fields.put(
                "gc_paused_ms", seen.pauses().stream().mapToLong(Pause::nanos).sum() / 1e6);
        fields.put(
                "machine_cpu_share",
                seen.cpuLoads().stream().mapToDouble(CpuLoad::machine).average().orElse(Double.NaN));
        fields.put("notes", seen.notes());
        return fields;
    }

    private static Map<String, @Nullable Object> finding(Finding finding) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("kind", finding.kind());
        fields.put("grade", finding.grade());
        fields.put("weight", finding.weight());
        fields.put("loops", finding.loops());
        fields.put("title", finding.title());
        fields.put("evidence", finding.evidence());
        fields.put("numbers", finding.numbers());
        fields.put("advice", finding.advice());
        return fields;
    }

    private static Map<String, @Nullable Object> loop(LoopReport loop) {
        var fields = Figures.of(loop, loop.whole().orElse(null));
        fields.put("samples", loop.activity().samples());
        fields.put("hot_frames", shares(loop.activity()));
        return fields;
    }

    private static List<Map<String, Object>> shares(Activity activity) {
        return activity.frames().stream().limit(10).map(DiagnosisJson::share).toList();
    }

    private static Map<String, Object> share(Share share) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("frame", share.name());
        fields.put("share", share.share());
        return fields;
    }

    private static List<Map<String, @Nullable Object>> stalls(Observation seen) {
        var stalls = new ArrayList<Map<String, @Nullable Object>>();
        for (var loop : seen.loops()) {
            loop.stalls().forEach(stall -> stalls.add(Figures.of(loop, stall)));
        }
        return stalls;
    }
}
