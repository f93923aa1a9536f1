package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.json.JsonReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a command printed and how it ended. */
record Outcome(int status, String out, String err) {
    static Outcome of(String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        var status = Program.run(args, new PrintWriter(out), new PrintWriter(err));
        return new Outcome(status, out.toString(), err.toString());
    }

    Map<String, @Nullable Object> json() {
        return JsonReader.object(out);
    }

    List<String> errorLines() {
        return err.lines().toList();
    }
}
