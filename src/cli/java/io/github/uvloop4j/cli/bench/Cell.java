package io.github.uvloop4j.cli.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One load that all servers are put under.
 *
 * @param sizeBytes of a message
 * @param connections open at the same time
 * @param inFlight messages in flight on each connection
 * @param loops that each server has; 0 where that is the server's own affair
 * @param neighbour whether other processes keep the CPUs of the loops busy meanwhile
 */
public record Cell(int sizeBytes, int connections, int inFlight, int loops, boolean neighbour) {
    /** A load on a quiet machine, on servers that have as many loops as they like. */
    public Cell(int sizeBytes, int connections, int inFlight) {
        this(sizeBytes, connections, inFlight, 0, false);
    }

    boolean tellsLoops() {
        return loops > 0;
    }

    /** What is measured: without a number of loops, nothing of them. */
    List<Metric> metrics() {
        return Metric.all(tellsLoops());
    }

    Map<String, Object> fields() {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("size_bytes", sizeBytes);
        fields.put("connections", connections);
        fields.put("messages_in_flight", inFlight);
        if (tellsLoops()) {
            fields.put("loops", loops);
            fields.put("noisy_neighbour", neighbour);
        }
        return fields;
    }

    /** For people: {@code 1024 B, 50 connections, 1 in flight, 2 loops, noisy neighbour}. */
    @Override
    public String toString() {
        return sizeBytes + " B, " + counted(connections, "connection") + ", " + inFlight + " in flight"
                + (tellsLoops() ? ", " + counted(loops, "loop") : "") + (neighbour ? ", noisy neighbour" : "");
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
