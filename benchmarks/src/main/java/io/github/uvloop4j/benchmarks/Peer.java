package io.github.uvloop4j.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An echo server that the comparison can start.
 *
 * @param name in the tables, such as {@code uvloop-streams}
 * @param command without its address
 * @param versions of the peer and of what it runs on
 */
record Peer(String name, List<String> command, String versions) {
    Peer {
        command = List.copyOf(command);
    }

    /** The command as the harness takes it; it puts the address where {@code {addr}} stands. */
    String template() {
        return command.stream().map(Peer::quoted).collect(Collectors.joining(" ")) + " --addr {addr}";
    }

    /** The command with an address. */
    List<String> commandAt(String address) {
        var words = new ArrayList<>(command);
        words.add("--addr");
        words.add(address);
        return words;
    }

    private static String quoted(String word) {
        if (word.contains("'")) {
            throw new IllegalArgumentException("the harness cannot be given a quote: " + word);
        }
        return word.chars().anyMatch(Character::isWhitespace) ? "'" + word + "'" : word;
    }

    /** A peer that cannot run here. */
    record Skipped(String name, String reason) {}
}
