package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.sock_fprog;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/**
 * Which of several listening sockets that share a port gets a connection: the one of the CPU that handles it in the
 * kernel, which over loopback is the client's, else the one that the network card's queue interrupts. Any thread.
 *
 * <p>Facts about the kernel: a group's index is the order in which its sockets began to listen; when one is closed, the
 * last takes its place. A socket's CPU counts among sockets that share a port from Linux 6.2 on; the releases from 4.6
 * on before it accept the option and ignore it. What the program gives beyond the group falls back to the hash.
 */
public final class Steering {
    private Steering() {}

    /**
     * Prefers a listener for connections that a CPU handles; the others are shared out by the kernel's hash.
     *
     * @param cpu 0 or more
     */
    public static void incomingCpu(int fd, int cpu) throws IOException {
        if (cpu < 0) {
            throw new IllegalArgumentException("negative CPU: " + cpu);
        }
        try (var arena = Arena.ofConfined()) {
            int status = SocketCalls.setOption(
                    fd, libc.SOL_SOCKET(), libc.SO_INCOMING_CPU(), arena.allocateFrom(ValueLayout.JAVA_INT, cpu));
            if (status < 0) {
                throw IoErrors.of(status, "prefer a listener for CPU " + cpu);
            }
        }
    }

    /**
     * Gives a group of listeners a program that chooses by CPU. Any one of the group's sockets will do, once it is
     * bound.
     *
     * @param listenerOfCpu the index of the listener for each CPU from 0; -1, and CPUs beyond, are shared out by their
     *     number modulo {@code listeners}
     * @param listeners how many there are
     * @throws IllegalArgumentException when an index is none of theirs, or the program is longer than the 4,096
     *     instructions that the kernel allows; a range of CPUs with the same listener takes two
     */
    public static void program(int fd, int[] listenerOfCpu, int listeners) throws IOException {
        var program = SteeringProgram.of(listenerOfCpu, listeners);
        try (var arena = Arena.ofConfined()) {
            var option = sock_fprog.allocate(arena);
            sock_fprog.len(option, (short) program.size());
            sock_fprog.filter(option, SteeringProgram.encode(program, arena));
            int status = SocketCalls.setOption(fd, libc.SOL_SOCKET(), libc.SO_ATTACH_REUSEPORT_CBPF(), option);
            if (status < 0) {
                throw IoErrors.of(
                        status,
                        "attach a steering program of " + program.size() + " instructions (see net.core.optmem_max)");
            }
        }
    }
}
