package io.github.uvloop4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The record of what was compared: a figure without it cannot be checked later. */
final class Versions {
    private Versions() {}

    /** Prints the machine, every peer's versions, and why others are skipped. */
    static void print(Peers peers) {
        machine().forEach((name, value) -> System.out.println(name + ": " + value));
        peers.found().forEach(peer -> System.out.println(peer.name() + ": " + peer.versions()));
        peers.skipped().forEach(peer -> System.out.println(peer.name() + ": skipped, " + peer.reason()));
        System.out.println();
    }

    /** Puts the record at the front of a file that holds a JSON object. */
    static void addTo(Path json, Peers peers) throws IOException {
        var text = Files.readString(json).strip();
        if (!text.startsWith("{")) {
            throw new IOException(json + " holds no JSON object");
        }
        Files.writeString(
                json, "{" + members(peers) + (text.matches("(?s)\\{\\s*}") ? "" : ",") + text.substring(1) + "\n");
    }

    /** The machine as a member of a JSON object; the harness records it by itself. */
    static String machineMember() {
        return "\n  \"machine\": " + object(machine());
    }

    /** The peers as members of a JSON object. */
    static String members(Peers peers) {
        var versions = new LinkedHashMap<String, String>();
        peers.found().forEach(peer -> versions.put(peer.name(), peer.versions()));
        var skipped = new LinkedHashMap<String, String>();
        peers.skipped().forEach(peer -> skipped.put(peer.name(), peer.reason()));
        return "\n  \"peer_versions\": " + object(versions) + ",\n  \"peers_skipped\": " + object(skipped);
    }

    static String quoted(String text) {
        return text.chars()
                .mapToObj(c -> switch (c) {
                    case '"' -> "\\\"";
                    case '\\' -> "\\\\";
                    default -> c < ' ' ? "\\u%04x".formatted(c) : Character.toString(c);
                })
                .collect(Collectors.joining("", "\"", "\""));
    }

    private static Map<String, String> machine() {
        var machine = new LinkedHashMap<String, String>();
        machine.put("processor", Cpus.model());
        machine.put("cpus_allowed", Cpus.allowed().toString());
        machine.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("jdk", System.getProperty("java.vendor.version", "") + " " + Runtime.version());
        return machine;
    }

    private static String object(Map<String, String> members) {
        return members.entrySet().stream()
                .map(member -> quoted(member.getKey()) + ": " + quoted(member.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
