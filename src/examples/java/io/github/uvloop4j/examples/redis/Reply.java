package io.github.uvloop4j.examples.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a server says, in either version of its protocol. */
public sealed interface Reply {
    /** Nothing is there. */
    Reply NIL = new Nil();

    /** A short word, such as OK; also a big number. */
    record Text(String value) implements Reply {}

    /** Bytes. */
    record Blob(byte[] bytes) implements Reply {}

    /** A whole number. */
    record Whole(long value) implements Reply {}

    /** Another number. */
    record Real(double value) implements Reply {}

    /** True or false. */
    record Flag(boolean value) implements Reply {}

    /** Nothing. */
    record Nil() implements Reply {}

    /** A list or set; also a table, with key and value in turn. */
    record Items(List<Reply> values) implements Reply {}

    /** What the server says on its own account. */
    record Push(List<Reply> values) implements Reply {}

    /** An error. It fails the future of its command. */
    record Failure(String message) implements Reply {}

    /** Text, or bytes as UTF-8, or a number; null for nothing. */
    default String text() {
        return switch (this) {
            case Text text -> text.value();
            case Blob blob -> new String(blob.bytes(), StandardCharsets.UTF_8);
            case Whole whole -> Long.toString(whole.value());
            case Real real -> Double.toString(real.value());
            case Nil nil -> null;
            default -> throw new IllegalStateException("no text: " + this);
        };
    }

    /** A whole number. */
    default long number() {
        return this instanceof Whole whole ? whole.value() : Long.parseLong(text());
    }

    /** The values of a list, set or table. */
    default List<Reply> items() {
        if (this instanceof Items items) {
            return items.values();
        }
        throw new IllegalStateException("no items: " + this);
    }
}
