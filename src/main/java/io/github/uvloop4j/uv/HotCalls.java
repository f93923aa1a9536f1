package io.github.uvloop4j.uv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The calls made for every message or turn, with addresses as plain longs: no segment object, no liveness check. The
 * addresses come from the generated bindings; everything else goes through those as it is.
 */
final class HotCalls {
    private static final Linker LINKER = Linker.nativeLinker();

    private static final MethodHandle RUN =
            handle(uv.uv_run$address(), FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle TRY_WRITE =
            handle(uv.uv_try_write$address(), FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle WRITE = handle(
            uv.uv_write$address(),
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle UDP_TRY_SEND = handle(
            uv.uv_udp_try_send$address(), FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle UDP_SEND = handle(
            uv.uv_udp_send$address(),
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle ASYNC_SEND =
            handle(uv.uv_async_send$address(), FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle READ_START =
            handle(uv.uv_read_start$address(), FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle READ_STOP =
            handle(uv.uv_read_stop$address(), FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle TIMER_START = handle(
            uv.uv_timer_start$address(), FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle TIMER_STOP =
            handle(uv.uv_timer_stop$address(), FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle UPDATE_TIME = LINKER.downcallHandle(
            uv.uv_update_time$address(), FunctionDescriptor.ofVoid(JAVA_LONG), Linker.Option.critical(false));

    private HotCalls() {}

    private static MethodHandle handle(MemorySegment address, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(address, descriptor);
    }

    private static AssertionError unexpected(Throwable thrown) {
        return new AssertionError("a downcall does not throw", thrown);
    }

    static int run(long loop, int mode) {
        try {
            return (int) RUN.invokeExact(loop, mode);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int tryWrite(long stream, long buffers, int count) {
        try {
            return (int) TRY_WRITE.invokeExact(stream, buffers, count);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int write(long request, long stream, long buffers, int count, long callback) {
        try {
            return (int) WRITE.invokeExact(request, stream, buffers, count, callback);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int udpTrySend(long socket, long buffers, int count, long address) {
        try {
            return (int) UDP_TRY_SEND.invokeExact(socket, buffers, count, address);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int udpSend(long request, long socket, long buffers, int count, long address, long callback) {
        try {
            return (int) UDP_SEND.invokeExact(request, socket, buffers, count, address, callback);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int asyncSend(long async) {
        try {
            return (int) ASYNC_SEND.invokeExact(async);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int readStart(long stream, long allocate, long read) {
        try {
            return (int) READ_START.invokeExact(stream, allocate, read);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int readStop(long stream) {
        try {
            return (int) READ_STOP.invokeExact(stream);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int timerStart(long timer, long callback, long timeout, long repeat) {
        try {
            return (int) TIMER_START.invokeExact(timer, callback, timeout, repeat);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int timerStop(long timer) {
        try {
            return (int) TIMER_STOP.invokeExact(timer);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static void updateTime(long loop) {
        try {
            UPDATE_TIME.invokeExact(loop);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
