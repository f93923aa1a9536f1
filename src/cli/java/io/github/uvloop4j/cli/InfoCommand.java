package io.github.uvloop4j.cli;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.carrier.Schedulers;
import io.github.uvloop4j.cli.bench.Machine;
import io.github.uvloop4j.cli.json.JsonWriter;
import io.github.uvloop4j.cli.process.Taskset;
import io.github.uvloop4j.uv.UvFeature;
import io.github.uvloop4j.uv.UvVersion;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code info}: what this program runs on, and what is missing. */
@Command(
        name = InfoCommand.NAME,
        description =
                "Prints versions, where libuv came from, what tasks ride on, the CPUs allowed, and what is missing.",
        mixinStandardHelpOptions = true)
final class InfoCommand implements Callable<Integer> {
    static final String NAME = "info";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("uvloop4j_version", Program.Version.version());
        var missing = new LinkedHashMap<String, Object>();
        var failure = "";
        try {
            fields.putAll(library(missing));
        } catch (RuntimeException | LinkageError e) {
            failure = Failures.describe(e);
            fields.put("libuv_version", null);
        }
        fields.putAll(Machine.fields());
        if (Taskset.program().isEmpty()) {
            missing.put("pinning", "needs the program taskset (package util-linux)");
        }
        fields.put("missing", missing);
        print(fields);
        if (!failure.isEmpty()) {
            throw new CliFailure(failure);
        }
        return CommandLine.ExitCode.OK;
    }

    private static Map<String, Object> library(Map<String, Object> missing) {
        var fields = new LinkedHashMap<String, Object>();
        var loaded = UvVersion.loaded();
        fields.put("libuv_version", loaded.toString());
        fields.put("libuv_origin", UvVersion.origin());
        fields.put("libuv_pinned_version", UvVersion.PINNED.toString());
        fields.put("libuv_oldest_version", UvVersion.OLDEST.toString());
        try (var loop = EventLoop.create()) {
            fields.put("task_mode", loop.tasksRideOnLoop() ? "carrier" : "baton");
            if (!loop.tasksRideOnLoop()) {
                missing.put("tasks_on_the_loop_thread", whyBaton());
            }
        }
        for (var feature : UvFeature.values()) {
            if (!feature.isAvailable()) {
                missing.put(
                        feature.name().toLowerCase(Locale.ROOT),
                        "needs libuv " + feature.since() + " or newer, this is " + loaded);
            }
        }
        return fields;
    }

    private static String whyBaton() {
        return Schedulers.available()
                ? "switched off: the tasks option is " + LoopOptions.defaults().tasks()
                : Schedulers.reason();
    }

    private void print(Map<String, @Nullable Object> fields) {
        if (json) {
            spec.commandLine().getOut().println(JsonWriter.pretty(fields));
            return;
        }
        fields.forEach((name, value) -> {
            if (value instanceof Map<?, ?> map) {
                line(name, map.isEmpty() ? "nothing" : "");
                map.forEach((what, why) -> line("  " + what, String.valueOf(why)));
            } else {
                line(name, String.valueOf(value));
            }
        });
    }

    private void line(String name, String value) {
        var head = String.format(Locale.ROOT, "%-26s", name.replace('_', ' '));
        spec.commandLine().getOut().println((head + " " + value).stripTrailing());
    }
}
