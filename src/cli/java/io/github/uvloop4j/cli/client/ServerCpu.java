package io.github.uvloop4j.cli.client;

import io.github.uvloop4j.cli.process.CpuSample;
import io.github.uvloop4j.cli.process.LoopSample;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Samples the CPU time of the server around a measurement, and what its loop threads do meanwhile. */
public final class ServerCpu implements LoadClient.Observer {
    private static final double NANOS_PER_MICRO = 1e3;

    private final long pid;
    private final boolean fromStart;
    private CpuSample before = CpuSample.ZERO;
    private CpuSample after = CpuSample.ZERO;
    private LoopSample loopsBefore = LoopSample.NONE;
    private LoopSample loopsAfter = LoopSample.NONE;

    /**
     * A meter for one measurement.
     *
     * @param pid the server, on this machine
     * @param fromStart whether its start-up counts too
     * @throws IOException if there is no such process
     */
    public ServerCpu(long pid, boolean fromStart) throws IOException {
        this.pid = pid;
        this.fromStart = fromStart;
        CpuSample.of(pid);
    }

    @Override
    public void started() throws IOException {
        before = fromStart ? CpuSample.ZERO : CpuSample.of(pid);
        loopsBefore = LoopSample.of(pid);
    }

    @Override
    public void ended() throws IOException {
        loopsAfter = LoopSample.of(pid);
        after = CpuSample.of(pid);
    }

    /** What the loop threads did a second, under the JSON keys; nothing when the server has none. */
    public Map<String, Object> ofLoops() {
        var values = new LinkedHashMap<String, Object>();
        if (!loopsAfter.threads().isEmpty()) {
            var rates = loopsAfter.since(loopsBefore);
            values.put("loop_migrations_per_second", rates.migrations());
            values.put("loop_voluntary_switches_per_second", rates.voluntarySwitches());
            values.put("loop_involuntary_switches_per_second", rates.involuntarySwitches());
        }
        return values;
    }

    /** CPU time per message in microseconds, under its JSON keys. */
    public Map<String, Object> perMessage(long messages) {
        var used = after.since(before);
        var values = new LinkedHashMap<String, Object>();
        values.put("server_cpu_us_per_message", used.totalNanos() / NANOS_PER_MICRO / messages);
        values.put("server_user_cpu_us_per_message", used.userNanos() / NANOS_PER_MICRO / messages);
        return values;
    }
}
