package io.github.uvloop4j.benchmarks.jmh;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How an upcall finds its object: one static stub per callback type with the loops in a static table, or one set of
 * stubs per loop, bound to it. C's {@code bsearch} over one element makes just one upcall; over none, none.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class UpcallBenchmark {
    private static final int OBJECTS = 1024;
    private static final int LOOPS = 4;
    private static final MemoryLayout UNBOUNDED = MemoryLayout.sequenceLayout(Long.MAX_VALUE, JAVA_BYTE);
    private static final FunctionDescriptor COMPARE =
            FunctionDescriptor.of(JAVA_INT, ADDRESS.withTargetLayout(UNBOUNDED), ADDRESS.withTargetLayout(UNBOUNDED));
    private static final MethodHandle BSEARCH = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("bsearch"),
                    FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
    private static final Dispatcher[] TABLE = new Dispatcher[LOOPS];

    private final MemorySegment handle = Arena.global().allocate(16);
    private final MemorySegment staticStub = stub("dispatchStatic", null);
    private MemorySegment boundStub = MemorySegment.NULL;
    private int next;

    /** What a loop has: its objects, found by the number that the handle's data field holds. */
    private static final class Dispatcher {
        final Target[] objects = new Target[OBJECTS];

        int dispatch(MemorySegment handle, MemorySegment other) {
            return objects[handle.get(JAVA_INT, 0)].called(other.address());
        }
    }

    private static final class Target {
        long sum;

        int called(long value) {
            sum += value;
            return 0;
        }
    }

    @Setup
    public void createLoops() {
        for (int loop = 0; loop < LOOPS; loop++) {
            TABLE[loop] = new Dispatcher();
            for (int i = 0; i < OBJECTS; i++) {
                TABLE[loop].objects[i] = new Target();
            }
        }
        boundStub = stub("dispatch", TABLE[1]);
        handle.set(JAVA_INT, 4, 1);
    }

    private static int dispatchStatic(MemorySegment handle, MemorySegment other) {
        return TABLE[handle.get(JAVA_INT, 4)].dispatch(handle, other);
    }

    private static MemorySegment stub(String method, @Nullable Object receiver) {
        var type = MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class);
        try {
            var lookup = MethodHandles.lookup();
            var target = receiver == null
                    ? lookup.findStatic(UpcallBenchmark.class, method, type)
                    : lookup.findVirtual(Dispatcher.class, method, type).bindTo(receiver);
            return Linker.nativeLinker().upcallStub(target, COMPARE, Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(method, e);
        }
    }

    @Benchmark
    public long staticStub() throws Throwable {
        return call(1, staticStub);
    }

    @Benchmark
    public long boundStub() throws Throwable {
        return call(1, boundStub);
    }

    @Benchmark
    public long downcallOnly() throws Throwable {
        return call(0, staticStub);
    }

    private long call(long count, MemorySegment stub) throws Throwable {
        next = next + 1 & OBJECTS - 1;
        handle.set(JAVA_INT, 0, next);
        return (long) BSEARCH.invokeExact(handle, handle, count, 1L, stub);
    }
}
