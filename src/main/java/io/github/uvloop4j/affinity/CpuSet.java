package io.github.uvloop4j.affinity;

import java.util.BitSet;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * A set of CPU numbers, as many as there may be. It reads and prints the two forms of the Linux kernel: lists
 * ({@code 0-3,8}) and masks of hexadecimal words ({@code 1,0000010f}). Immutable. Any thread.
 */
public final class CpuSet {
    /** One more than the greatest CPU number that is taken for one; Linux has no more than 8,192. */
    public static final int LIMIT = 65_536;

    private static final int WORD = 32;
    private static final CpuSet EMPTY = new CpuSet(new BitSet());

    private final BitSet cpus;

    private CpuSet(BitSet cpus) {
        this.cpus = cpus;
    }

    private static CpuSet of(BitSet cpus) {
        return cpus.isEmpty() ? EMPTY : new CpuSet(cpus);
    }

    /** The set without a CPU. */
    public static CpuSet empty() {
        return EMPTY;
    }

    /**
     * A set of some CPUs.
     *
     * @param numbers 0 to {@link #LIMIT} - 1 each, in any order
     */
    public static CpuSet of(int... numbers) {
        var cpus = new BitSet();
        for (int number : numbers) {
            cpus.set(checked(number));
        }
        return of(cpus);
    }

    /** The CPUs from one to another, both among them. */
    public static CpuSet range(int first, int last) {
        if (checked(first) > checked(last)) {
            throw new IllegalArgumentException("a range of CPUs that ends before it begins: " + first + '-' + last);
        }
        var cpus = new BitSet();
        cpus.set(first, last + 1);
        return of(cpus);
    }

    private static int checked(int number) {
        if (number < 0 || number >= LIMIT) {
            throw new IllegalArgumentException("no CPU number (0 to " + (LIMIT - 1) + "): " + number);
        }
        return number;
    }

    /**
     * Reads a list of the kernel's: numbers and ranges between commas, ranges with a step ({@code 0-7:2/4}: of each four
     * the first two). Blanks around the parts do not matter; the empty text is the empty set.
     *
     * @throws IllegalArgumentException which names the part that cannot be read
     */
    public static CpuSet parse(String list) {
        var text = Objects.requireNonNull(list, "list").strip();
        var cpus = new BitSet();
        if (!text.isEmpty()) {
            for (var part : text.split(",", -1)) {
                addPart(cpus, part.strip(), text);
            }
        }
        return of(cpus);
    }

    private static void addPart(BitSet cpus, String part, String list) {
        int dash = part.indexOf('-');
        int colon = part.indexOf(':');
        int first = number(dash < 0 ? part : part.substring(0, dash), list);
        if (dash < 0) {
            cpus.set(first);
            return;
        }
        int last = number(part.substring(dash + 1, colon < 0 ? part.length() : colon), list);
        if (last < first) {
            throw unreadable(list, "the range " + part + " ends before it begins");
        }
        if (colon < 0) {
            cpus.set(first, last + 1);
            return;
        }
        int slash = part.indexOf('/', colon);
        if (slash < 0) {
            throw unreadable(list, "a step has the form USED/GROUP: " + part);
        }
        int used = number(part.substring(colon + 1, slash), list);
        int group = number(part.substring(slash + 1), list);
        if (used < 1 || group < used) {
            throw unreadable(list, "a step uses 1 to all of a group: " + part);
        }
        for (int start = first; start <= last; start += group) {
            cpus.set(start, Math.min(start + used, last + 1));
        }
    }

    private static int number(String digits, String list) {
        var text = digits.strip();
        if (text.isEmpty() || text.length() > 6 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw unreadable(list, text.isEmpty() ? "a number is missing" : "no CPU number: " + text);
        }
        int number = Integer.parseInt(text);
        if (number >= LIMIT) {
            throw unreadable(list, "no CPU number (0 to " + (LIMIT - 1) + "): " + text);
        }
        return number;
    }

    private static IllegalArgumentException unreadable(String text, String why) {
        return new IllegalArgumentException("CPUs \"" + text + "\": " + why);
    }

    /**
     * Reads a mask of the kernel's: hexadecimal words of 32 CPUs between commas, the last one with CPU 0 as its lowest
     * bit. A single long word and a leading {@code 0x} are read as well.
     *
     * @throws IllegalArgumentException which names what cannot be read
     */
    public static CpuSet parseMask(String mask) {
        var text = Objects.requireNonNull(mask, "mask").strip();
        var words = (text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text).split(",", -1);
        var digits = new StringBuilder();
        for (int i = 0; i < words.length; i++) {
            var word = words[i];
            if (word.isEmpty() || !word.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128)) {
                throw unreadable(text, "no hexadecimal word: \"" + word + '"');
            }
            if (words.length > 1 && word.length() > WORD / 4) {
                throw unreadable(text, "a word of more than 32 CPUs: " + word);
            }
            digits.append(i == 0 ? word : "0".repeat(WORD / 4 - word.length()) + word);
        }
        var cpus = new BitSet();
        for (int i = 0; i < digits.length(); i++) {
            int digit = Character.digit(digits.charAt(digits.length() - 1 - i), 16);
            for (int bit = 0; bit < 4; bit++) {
                if ((digit >> bit & 1) == 1) {
                    int cpu = 4 * i + bit;
                    if (cpu >= LIMIT) {
                        throw unreadable(text, "no CPU number (0 to " + (LIMIT - 1) + "): " + cpu);
                    }
                    cpus.set(cpu);
                }
            }
        }
        return of(cpus);
    }

    /** The set as bytes, CPU 0 being the lowest bit of the first: a mask of the system calls. Only as long as needed. */
    public byte[] toBytes() {
        return cpus.toByteArray();
    }

    /** The set of a mask of the system calls, which {@link #toBytes} describes. */
    public static CpuSet fromBytes(byte[] mask) {
        var cpus = BitSet.valueOf(Objects.requireNonNull(mask, "mask"));
        if (cpus.length() > LIMIT) {
            throw new IllegalArgumentException("no CPU number (0 to " + (LIMIT - 1) + "): " + (cpus.length() - 1));
        }
        return of(cpus);
    }

    /** Whether a CPU is in it; any number may be asked for. */
    public boolean contains(int cpu) {
        return cpu >= 0 && cpus.get(cpu);
    }

    /** Whether all CPUs of another set are in this one. */
    public boolean containsAll(CpuSet other) {
        return other.minus(this).isEmpty();
    }

    /** Whether it has none. */
    public boolean isEmpty() {
        return cpus.isEmpty();
    }

    /** How many it has. */
    public int size() {
        return cpus.cardinality();
    }

    /**
     * The lowest CPU.
     *
     * @throws IllegalStateException when there is none
     */
    public int first() {
        return notEmpty().nextSetBit(0);
    }

    /** The highest CPU. Throws as {@link #first} does. */
    public int last() {
        return notEmpty().length() - 1;
    }

    private BitSet notEmpty() {
        if (cpus.isEmpty()) {
            throw new IllegalStateException("a set without CPUs has neither a first nor a last one");
        }
        return cpus;
    }

    /** The CPUs in ascending order. */
    public IntStream stream() {
        return cpus.stream();
    }

    /** The CPUs that are in this set or in another. */
    public CpuSet union(CpuSet other) {
        var result = copy();
        result.or(other.cpus);
        return of(result);
    }

    /** The CPUs that are in both sets. */
    public CpuSet intersect(CpuSet other) {
        var result = copy();
        result.and(other.cpus);
        return of(result);
    }

    /** The CPUs of this set that are not in another. */
    public CpuSet minus(CpuSet other) {
        var result = copy();
        result.andNot(other.cpus);
        return of(result);
    }

    private BitSet copy() {
        return (BitSet) cpus.clone();
    }

    /** The set as a mask of the kernel's, which {@link #parseMask} reads; {@code 0} when it is empty. */
    public String toMask() {
        var words = new StringJoiner(",");
        int count = Math.max(1, (cpus.length() + WORD - 1) / WORD);
        for (int word = count - 1; word >= 0; word--) {
            long bits = 0;
            for (int bit = WORD - 1; bit >= 0; bit--) {
                bits = bits << 1 | (cpus.get(word * WORD + bit) ? 1 : 0);
            }
            words.add(word == count - 1 ? Long.toHexString(bits) : String.format("%08x", bits));
        }
        return words.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuSet set && cpus.equals(set.cpus);
    }

    @Override
    public int hashCode() {
        return cpus.hashCode();
    }

    /** The set as a list of the kernel's, which {@link #parse} reads; empty when it is. */
    @Override
    public String toString() {
        var parts = new StringJoiner(",");
        for (int first = cpus.nextSetBit(0); first >= 0; ) {
            int end = cpus.nextClearBit(first);
            parts.add(end - first == 1 ? String.valueOf(first) : first + "-" + (end - 1));
            first = cpus.nextSetBit(end);
        }
        return parts.toString();
    }
}
