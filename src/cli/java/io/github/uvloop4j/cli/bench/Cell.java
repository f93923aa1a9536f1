package io.github.uvloop4j.cli.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One load that all servers are put under.
 *
 * @param sizeBytes of a message
 * @param connections open at the same time
 * @param inFlight messages in flight on each connection
 */
public record Cell(int sizeBytes, int connections, int inFlight) {
    Map<String, Object> fields() {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("size_bytes", sizeBytes);
        fields.put("connections", connections);
        fields.put("messages_in_flight", inFlight);
        return fields;
    }

    /** For people: {@code 1024 B, 50 connections, 1 in flight}. */
    @Override
    public String toString() {
        return sizeBytes + " B, " + connections + (connections == 1 ? " connection, " : " connections, ") + inFlight
                + " in flight";
    }
}
