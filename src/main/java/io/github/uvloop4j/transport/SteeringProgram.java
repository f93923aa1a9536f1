package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.sock_filter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * A program for the kernel's packet filter that gives the index of a listener for the CPU which handles a connection.
 * CPUs without a listener of their own are shared out: their number modulo the number of listeners.
 *
 * <pre>
 *   ld  cpu
 *   jgt last CPU of a range, +0, +1     for each range of CPUs with the same listener, in ascending order
 *   ret its listener                    or mod, ret a for those without
 *   mod number of listeners             for CPUs beyond
 *   ret a
 * </pre>
 */
final class SteeringProgram {
    /** The kernel's limit. */
    static final int LONGEST = 4096;

    private static final int NONE = -1;

    private static final int LOAD = libc.BPF_LD() | libc.BPF_W() | libc.BPF_ABS();
    private static final int GREATER = libc.BPF_JMP() | libc.BPF_JGT() | libc.BPF_K();
    private static final int MODULO = libc.BPF_ALU() | libc.BPF_MOD() | libc.BPF_K();
    private static final int RETURN = libc.BPF_RET() | libc.BPF_K();
    private static final int RETURN_RESULT = libc.BPF_RET() | libc.BPF_A();

    /** One instruction; how many to skip when its condition is true or false. */
    record Instruction(int code, int ifTrue, int ifFalse, int operand) {
        Instruction(int code, int operand) {
            this(code, 0, 0, operand);
        }
    }

    private SteeringProgram() {}

    /**
     * The shortest of the program's forms.
     *
     * @param listenerOfCpu the listener of each CPU from 0, or -1 for none in particular
     */
    static List<Instruction> of(int[] listenerOfCpu, int listeners) {
        if (listeners < 1) {
            throw new IllegalArgumentException("listeners must be 1 or more: " + listeners);
        }
        for (int cpu = 0; cpu < listenerOfCpu.length; cpu++) {
            int index = listenerOfCpu[cpu];
            if (index < NONE || index >= listeners) {
                throw new IllegalArgumentException(
                        "listener " + index + " of CPU " + cpu + " is none of the " + listeners + " there are");
            }
        }
        var asGiven = ranges(listenerOfCpu, listeners);
        var shared = listenerOfCpu.clone();
        for (int cpu = 0; cpu < shared.length; cpu++) {
            if (shared[cpu] == cpu % listeners) {
                shared[cpu] = NONE;
            }
        }
        var withoutCommon = ranges(shared, listeners);
        var program = asGiven.size() < withoutCommon.size() ? asGiven : withoutCommon;
        if (program.size() > LONGEST) {
            throw new IllegalArgumentException("steering " + listenerOfCpu.length + " CPUs to " + listeners
                    + " listeners takes " + program.size() + " instructions, and the kernel allows " + LONGEST
                    + ": give neighbouring CPUs the same listener");
        }
        return program;
    }

    private static List<Instruction> ranges(int[] listenerOfCpu, int listeners) {
        var program = new ArrayList<Instruction>();
        program.add(new Instruction(LOAD, libc.SKF_AD_OFF() + libc.SKF_AD_CPU()));
        int end = listenerOfCpu.length;
        while (end > 0 && listenerOfCpu[end - 1] == NONE) {
            end--;
        }
        for (int cpu = 0; cpu < end; cpu++) {
            int index = listenerOfCpu[cpu];
            if (cpu + 1 < end && listenerOfCpu[cpu + 1] == index) {
                continue;
            }
            if (index == NONE) {
                program.add(new Instruction(GREATER, 2, 0, cpu));
                shareOut(program, listeners);
            } else {
                program.add(new Instruction(GREATER, 1, 0, cpu));
                program.add(new Instruction(RETURN, index));
            }
        }
        shareOut(program, listeners);
        return program;
    }

    private static void shareOut(List<Instruction> program, int listeners) {
        program.add(new Instruction(MODULO, listeners));
        program.add(new Instruction(RETURN_RESULT, 0));
    }

    static MemorySegment encode(List<Instruction> program, SegmentAllocator allocator) {
        var memory = sock_filter.allocateArray(program.size(), allocator);
        for (int i = 0; i < program.size(); i++) {
            var from = program.get(i);
            var to = sock_filter.asSlice(memory, i);
            sock_filter.code(to, (short) from.code);
            sock_filter.jt(to, (byte) from.ifTrue);
            sock_filter.jf(to, (byte) from.ifFalse);
            sock_filter.k(to, from.operand);
        }
        return memory;
    }
}
