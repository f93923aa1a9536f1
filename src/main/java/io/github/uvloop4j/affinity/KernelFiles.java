package io.github.uvloop4j.affinity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Small files of the kernel's. What is missing or cannot be understood counts as absent: containers leave out whatever
 * they like, and a file of an offline CPU may exist and refuse to be read. Any thread.
 */
final class KernelFiles {
    private KernelFiles() {}

    /** A path below a directory, the names between slashes; the directory itself where no path can have that name. */
    static Path below(Path directory, String names) {
        try {
            return directory.resolve(names.replaceFirst("^/+", ""));
        } catch (InvalidPathException _) {
            return directory;
        }
    }

    /** What a file holds without the blanks around it; empty when it is absent. */
    static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip();
        } catch (IOException _) {
            return "";
        }
    }

    /** The lines of a file; none when it is absent. */
    static List<String> lines(Path file) {
        return text(file).lines().toList();
    }

    /** The list of CPUs in a file; empty when it is absent. */
    static CpuSet cpus(Path file) {
        try {
            return CpuSet.parse(text(file));
        } catch (IllegalArgumentException _) {
            return CpuSet.empty();
        }
    }

    /** The number that a file holds. */
    static OptionalLong number(Path file) {
        return number(text(file));
    }

    /** A decimal number, if the text is one. */
    static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException _) {
            return OptionalLong.empty();
        }
    }

    /** The numbers N, in ascending order, of the entries of a directory whose names are the prefix and N. */
    static IntStream numbered(Path directory, String prefix) {
        try (var entries = Files.newDirectoryStream(directory, prefix + "[0-9]*")) {
            var numbers = IntStream.builder();
            for (var entry : entries) {
                number(String.valueOf(entry.getFileName()).substring(prefix.length()))
                        .ifPresent(number -> {
                            if (number < CpuSet.LIMIT) {
                                numbers.add((int) number);
                            }
                        });
            }
            return numbers.build().sorted();
        } catch (IOException | DirectoryIteratorException _) {
            return IntStream.empty();
        }
    }
}
