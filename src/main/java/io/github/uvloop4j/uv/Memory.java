package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.libc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** Native memory by address. The only place that allocates and frees what libuv works on. */
final class Memory {
    /** All of the address space, so that a field of a struct is one load. */
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private Memory() {}

    /** Zeroed memory. */
    static long allocate(long size) {
        long address = libc.calloc(1, size).address();
        if (address == 0) {
            throw new OutOfMemoryError("native memory: " + size + " bytes");
        }
        return address;
    }

    static void free(long address) {
        libc.free(MemorySegment.ofAddress(address));
    }

    static MemorySegment at(long address) {
        return MemorySegment.ofAddress(address);
    }

    static MemorySegment at(long address, long size) {
        return ALL.asSlice(address, size);
    }

    /** Where part of a segment is. Throws for memory that libuv cannot work on: the heap's, and what was freed. */
    static long addressOf(MemorySegment segment, long offset, long length) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException(
                    "heap memory cannot be lent or written: the garbage collector may move it");
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the memory's arena is closed");
        }
        Objects.checkFromIndexSize(offset, length, segment.byteSize());
        return segment.address() + offset;
    }

    static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG, address);
    }

    static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG, address, value);
    }

    /** The text at an address, up to its zero. */
    static String text(long address) {
        return ALL.getString(address);
    }

    static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT, address);
    }

    static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT, address, value);
    }
}
