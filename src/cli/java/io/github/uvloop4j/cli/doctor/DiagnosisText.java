package io.github.uvloop4j.cli.doctor;

import io.github.uvloop4j.cli.observe.LoopTable;
import io.github.uvloop4j.cli.observe.Printable;
import io.github.uvloop4j.cli.observe.Words;
import java.util.ArrayList;
import java.util.List;

/** A diagnosis in words. */
public final class DiagnosisText {
    private static final double NOTABLE = 0.4;

    private DiagnosisText() {}

    /** The lines, none of which has a character that could command a terminal. */
    public static List<String> lines(Diagnosis diagnosis, boolean blocks) {
        var seen = diagnosis.seen();
        var lines = new ArrayList<String>();
        lines.add(headline(diagnosis));
        lines.add("");
        var table = new LoopTable(blocks);
        lines.addAll(table.lines(seen.loops(), loop -> loop.whole().orElse(null)));
        lines.add(table.legend());
        lines.add("");
        lines.add(verdict(diagnosis));
        var number = 0;
        for (var finding : diagnosis.findings()) {
            number++;
            lines.add("");
            lines.add(number + ". " + finding.grade() + ": " + finding.title());
            finding.evidence().forEach(sentence -> lines.add("   " + sentence));
            lines.add("   -> " + finding.advice());
        }
        if (!seen.notes().isEmpty()) {
            lines.add("");
            seen.notes().forEach(note -> lines.add("note: " + note));
        }
        return lines.stream().map(Printable::of).toList();
    }

    /** What it is about. */
    static String headline(Diagnosis diagnosis) {
        var seen = diagnosis.seen();
        return seen.source() + ", " + Words.seconds(seen.seconds()) + ", "
                + Words.many(seen.loops().size(), "loop") + (seen.jvm().isEmpty() ? "" : ", " + seen.jvm());
    }

    /** All in one sentence. */
    static String verdict(Diagnosis diagnosis) {
        var findings = diagnosis.findings();
        if (findings.isEmpty()) {
            return "All is well, as far as this can be seen.";
        }
        var notable =
                findings.stream().filter(finding -> finding.weight() >= NOTABLE).count();
        return notable == 0
                ? "All is well, as far as this can be seen; "
                        + (findings.size() == 1 ? "one hint:" : findings.size() + " hints:")
                : Words.many(findings.size(), "finding") + ", the weightiest first:";
    }
}
