package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.sockaddr_storage;
import io.github.uvloop4j.ffi.sockaddr_un;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the peers of a socket of datagrams, between Java and C, without an allocation for those seen before:
 * some are remembered, each where its hash says. There are the more places the more often one takes another's. Loop
 * thread only.
 */
final class PeerAddresses {
    private static final int FEWEST = 64;
    private static final int MOST = 4096;
    private static final int GROWTH = 4;
    private static final int WORDS = 4;
    private static final long SIZE = 112;
    private static final int V6 = io.github.uvloop4j.ffi.libc.AF_INET6();
    private static final int V4 = io.github.uvloop4j.ffi.libc.AF_INET();

    private int slots = FEWEST;
    private long[] words = new long[FEWEST * WORDS];
    private @Nullable SocketAddress[] received = new SocketAddress[FEWEST];
    private @Nullable SocketAddress[] targets = new SocketAddress[FEWEST];
    private long memory;

    /** How often one address had to give way to another since there are so many places. */
    private int evictions;

    PeerAddresses() {
        assert sockaddr_un.sizeof() <= SIZE;
    }

    /** The address in a sockaddr; null for a peer without a name. */
    @Nullable
    SocketAddress received(long sockaddr) {
        int family = Memory.getInt(sockaddr) & 0xffff;
        if (family == V4) {
            return received(sockaddr, words(sockaddr), 0, 0, 0);
        }
        if (family == V6) {
            // Without the flow label, which says nothing of who sent it.
            return received(
                    sockaddr,
                    Memory.getInt(sockaddr),
                    words(sockaddr + 8),
                    words(sockaddr + 16),
                    Memory.getInt(sockaddr + 24));
        }
        return SocketAddresses.decodeAny(Memory.at(sockaddr, sockaddr_storage.sizeof()));
    }

    /** Eight bytes. In a batch, libuv's addresses lie at multiples of four only. */
    private static long words(long address) {
        return (Memory.getInt(address) & 0xffffffffL) << 32 | Memory.getInt(address + 4) & 0xffffffffL;
    }

    private @Nullable SocketAddress received(long sockaddr, long a, long b, long c, long d) {
        int slot = slot(Long.hashCode(a * 31 + b * 7 + c * 3 + d));
        int at = slot * WORDS;
        var known = received[slot];
        if (known != null && words[at] == a && words[at + 1] == b && words[at + 2] == c && words[at + 3] == d) {
            return known;
        }
        var fresh = SocketAddresses.decode(Memory.at(sockaddr, sockaddr_storage.sizeof()));
        if (known != null && grows()) {
            return fresh;
        }
        words[at] = a;
        words[at + 1] = b;
        words[at + 2] = c;
        words[at + 3] = d;
        received[slot] = fresh;
        return fresh;
    }

    /** Where the sockaddr of an address is, until the next call. */
    long target(SocketAddress address) {
        int slot = slot(address.hashCode());
        if (memory == 0) {
            memory = Memory.allocate(slots * SIZE);
        }
        long place = memory + slot * SIZE;
        if (isScoped(address) || !address.equals(targets[slot])) {
            if (targets[slot] != null && !isScoped(address) && grows()) {
                return target(address);
            }
            targets[slot] = null;
            SocketAddresses.encode(address, (size, alignment) -> slot(place, size));
            targets[slot] = address;
        }
        return place;
    }

    /** Addresses of the same number on two interfaces are equal to Java. */
    private static boolean isScoped(SocketAddress address) {
        return address instanceof InetSocketAddress internet
                && internet.getAddress() instanceof Inet6Address v6
                && v6.getScopeId() != 0;
    }

    private static MemorySegment slot(long place, long size) {
        if (size > SIZE) {
            throw new IllegalArgumentException("an address of " + size + " bytes");
        }
        return Memory.at(place, size);
    }

    private int slot(int hash) {
        return (hash ^ hash >>> 16 ^ hash >>> 8) & (slots - 1);
    }

    /** Makes more places, all of them empty, when addresses have given way often enough. */
    private boolean grows() {
        if (++evictions < 2 * slots || slots == MOST) {
            return false;
        }
        evictions = 0;
        slots *= GROWTH;
        words = new long[slots * WORDS];
        received = new SocketAddress[slots];
        targets = new SocketAddress[slots];
        release();
        return true;
    }

    void release() {
        if (memory != 0) {
            Memory.free(memory);
            memory = 0;
        }
    }
}
