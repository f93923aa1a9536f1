package io.github.uvloop4j.cli.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * A server to compare.
 *
 * @param name in the results
 * @param command that starts it, with placeholders for what depends on the run
 * @param unpinned name of the same server without its pinned loops; empty when its loops are not pinned
 */
public record ServerSpec(String name, List<String> command, String unpinned) {
    private static final String ADDRESS = "{addr}";

    /** A server whose loops are not pinned, if it has any. */
    public ServerSpec(String name, List<String> command) {
        this(name, command, "");
    }

    /** The same server on pinned loops. */
    public ServerSpec pinned() {
        return new ServerSpec(name + "-pinned", command, name);
    }

    /** The command for a run: it tells how many loops there are and, when they are pinned, to which CPUs. */
    List<String> command(Cell cell, LoopSettings loops, Places.Place place) {
        var words = new ArrayList<>(command.stream().map(place::fill).toList());
        if (!cell.tellsLoops()) {
            return words;
        }
        words.add("--loops=" + cell.loops());
        if (!unpinned.isEmpty()) {
            words.add("--pin=" + loops.cpus(cell.loops()));
        }
        return words;
    }

    /**
     * Reads {@code NAME=COMMAND}. The command is split at blanks, except inside quotes; <code>{addr}</code> in it becomes
     * the address to listen on, and without it {@code --addr} and the address are appended. <code>{cert}</code> and
     * <code>{key}</code> become the files of certificate and key.
     *
     * @throws IllegalArgumentException if there is no name, no command or no closing quote
     */
    public static ServerSpec parse(String text) {
        var equals = text.indexOf('=');
        var name = equals < 0 ? "" : text.substring(0, equals).strip();
        var words = equals < 0 ? List.<String>of() : words(text.substring(equals + 1));
        if (name.isEmpty() || words.isEmpty()) {
            throw new IllegalArgumentException("'" + text + "' is not NAME=COMMAND");
        }
        if (words.stream().anyMatch(word -> word.contains(ADDRESS))) {
            return new ServerSpec(name, List.copyOf(words));
        }
        var command = new ArrayList<>(words);
        command.add("--addr");
        command.add(ADDRESS);
        return new ServerSpec(name, List.copyOf(command));
    }

    /**
     * Splits at blanks, except inside single or double quotes.
     *
     * @throws IllegalArgumentException if a quote is not closed
     */
    public static List<String> words(String text) {
        var words = new ArrayList<String>();
        var word = new StringBuilder();
        var inWord = false;
        var quote = '\0';
        for (var i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (quote != '\0') {
                if (c == quote) {
                    quote = '\0';
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                inWord = true;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                }
                word.setLength(0);
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != '\0') {
            throw new IllegalArgumentException("no closing " + quote + " in " + text);
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
