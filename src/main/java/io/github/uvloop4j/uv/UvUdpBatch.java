package io.github.uvloop4j.uv;

import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams for {@link UvUdp#trySend(UvUdpBatch)}: what libuv wants to know of each, in one block of memory. The bytes
 * must stay as they are until sent. Loop thread only.
 */
public final class UvUdpBatch implements AutoCloseable {
    private static final long ADDRESS_SIZE = 128;

    private final UvLoop loop;
    private final int capacity;
    private final MemorySegment[] keep;
    private final long block;
    private final long lists;
    private final long counts;
    private final long targets;
    private final long addresses;
    private int count;
    private boolean freed;

    /** Room for so many datagrams, 1 or more. */
    public UvUdpBatch(UvLoop loop, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be 1 or more: " + capacity);
        }
        loop.check();
        this.loop = loop;
        this.capacity = capacity;
        this.keep = new MemorySegment[capacity];
        // For each: a descriptor of 16 bytes, a pointer to it, a pointer to its address, the address, the count 1.
        this.block = Memory.allocate(capacity * (16 + 8 + 8 + ADDRESS_SIZE + 4));
        this.lists = block + capacity * 16L;
        this.targets = lists + capacity * 8L;
        this.addresses = targets + capacity * 8L;
        this.counts = addresses + capacity * ADDRESS_SIZE;
        for (int i = 0; i < capacity; i++) {
            Memory.putLong(lists + i * 8L, block + i * 16L);
            Memory.putInt(counts + i * 4L, 1);
        }
    }

    private void check() {
        loop.check();
        if (freed) {
            throw new IllegalStateException("the batch was freed");
        }
    }

    /** How many datagrams there are. */
    public int count() {
        return count;
    }

    /** Whether no further datagram has a place. */
    public boolean isFull() {
        return count == capacity;
    }

    /** Appends a datagram; the target is null for a connected socket. */
    public void add(MemorySegment data, long offset, long length, @Nullable SocketAddress target) {
        check();
        if (isFull()) {
            throw new IllegalStateException("no place for another datagram");
        }
        long address = Memory.addressOf(data, offset, length);
        if (target != null) {
            long place = addresses + count * ADDRESS_SIZE;
            SocketAddresses.encode(target, (size, alignment) -> Memory.at(place, size));
        }
        Memory.putLong(block + count * 16L, address);
        Memory.putLong(block + count * 16L + 8, length);
        Memory.putLong(targets + count * 8L, target == null ? 0 : addresses + count * ADDRESS_SIZE);
        keep[count++] = data;
    }

    /** Forgets the datagrams. */
    public void clear() {
        check();
        java.util.Arrays.fill(keep, 0, count, MemorySegment.NULL);
        count = 0;
    }

    long lists() {
        check();
        return lists;
    }

    long counts() {
        return counts;
    }

    long targets() {
        return targets;
    }

    /** Gives its memory back. A second call does nothing. */
    @Override
    public void close() {
        if (!freed) {
            check();
            freed = true;
            Memory.free(block);
        }
    }
}
