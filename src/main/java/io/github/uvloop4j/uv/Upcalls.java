package io.github.uvloop4j.uv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where libuv calls Java. One static stub for each type of callback; the {@code data} word of the handle or request
 * holds the loop's index and the object's id.
 *
 * <p>Nothing may leave an upcall: a Throwable that did would end the JVM. Each stub catches all and hands it to its
 * loop.
 */
final class Upcalls {
    private static volatile @Nullable UvLoop[] loops = new UvLoop[4];

    private Upcalls() {}

    /** Gives a loop its index. */
    static synchronized int register(UvLoop loop) {
        int index = 1;
        while (index < loops.length && loops[index] != null) {
            index++;
        }
        var copy = Arrays.copyOf(loops, Math.max(loops.length, index + 1));
        copy[index] = loop;
        loops = copy;
        return index;
    }

    /** Takes the index back. */
    static synchronized void unregister(int index) {
        var copy = loops.clone();
        copy[index] = null;
        loops = copy;
    }

    private static UvLoop loopOf(long data) {
        var loop = loops[(int) (data >>> 32)];
        if (loop == null) {
            throw new IllegalStateException("callback for a loop that is gone");
        }
        return loop;
    }

    /**
     * The data word was read before the callback, which may have freed the memory that holds it; 0 when not even that
     * could be done.
     */
    private static void failed(long data, Throwable thrown) {
        try {
            loopOf(data).callbackFailed(thrown);
            loopOf(data).eventOver();
            loopOf(data).watcherRan();
        } catch (Throwable lost) {
            // Reporting failed too; the process matters more than the report.
        }
    }

    private static UvHandle handle(long data) {
        var handle = loopOf(data).handles().get((int) data);
        if (handle == null) {
            throw new IllegalStateException("callback for a handle that is gone");
        }
        return handle;
    }

    private static UvRequest request(long data) {
        var request = loopOf(data).requests().get((int) data);
        if (request == null) {
            throw new IllegalStateException("callback for a request that is gone");
        }
        return request;
    }

    @SuppressWarnings("unused") // by name, below
    private static void allocate(long stream, long suggested, long buffer) {
        long data = 0;
        try {
            data = Memory.getLong(stream);
            loopOf(data).pollOver();
            Memory.putLong(buffer, 0);
            Memory.putLong(buffer + 8, 0);
            ((UvStream) handle(data)).allocate(suggested, buffer);
            loopOf(data).awaitReturn();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    @SuppressWarnings("unused")
    private static void read(long stream, long count, long buffer) {
        long data = 0;
        try {
            data = Memory.getLong(stream);
            loopOf(data).event(UvEvent.READ);
            ((UvStream) handle(data)).received((int) count);
            loopOf(data).eventOver();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    @SuppressWarnings("unused")
    private static void lendDatagram(long socket, long suggested, long buffer) {
        long data = 0;
        try {
            data = Memory.getLong(socket);
            loopOf(data).pollOver();
            Memory.putLong(buffer, 0);
            Memory.putLong(buffer + 8, 0);
            ((UvUdp) handle(data)).lendTo(suggested, buffer);
            loopOf(data).awaitReturn();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    @SuppressWarnings("unused")
    private static void datagram(long socket, long count, long buffer, long address, int flags) {
        long data = 0;
        try {
            data = Memory.getLong(socket);
            loopOf(data).event(UvEvent.READ);
            ((UvUdp) handle(data)).received((int) count, buffer, address, flags);
            loopOf(data).eventOver();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    @SuppressWarnings("unused")
    private static void connection(long stream, int status) {
        long data = 0;
        try {
            data = Memory.getLong(stream);
            loopOf(data).event(UvEvent.CONNECTION);
            ((UvStream) handle(data)).incoming(status);
            loopOf(data).eventOver();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    @SuppressWarnings("unused")
    private static void requestDone(long request, int status) {
        long data = 0;
        try {
            data = Memory.getLong(request);
            loopOf(data).event(UvEvent.REQUEST);
            request(data).complete(status);
            loopOf(data).eventOver();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    @SuppressWarnings("unused")
    private static void addresses(long request, int status, long first) {
        long data = 0;
        try {
            data = Memory.getLong(request);
            loopOf(data).event(UvEvent.REQUEST);
            ((UvGetAddrInfo) request(data)).completed(status, first);
            loopOf(data).eventOver();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    @SuppressWarnings("unused")
    private static void names(long request, int status, long host, long service) {
        long data = 0;
        try {
            data = Memory.getLong(request);
            loopOf(data).event(UvEvent.REQUEST);
            ((UvGetNameInfo) request(data)).completed(status, host, service);
            loopOf(data).eventOver();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    @SuppressWarnings("unused")
    private static void fire(long handle) {
        long data = 0;
        try {
            data = Memory.getLong(handle);
            loopOf(data).event(UvEvent.WATCHER);
            ((UvWatcher) handle(data)).fire();
            loopOf(data).eventOver();
            loopOf(data).watcherRan();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    @SuppressWarnings("unused")
    private static void poll(long handle, int status, int events) {
        long data = 0;
        try {
            data = Memory.getLong(handle);
            var poll = (UvPoll) handle(data);
            loopOf(data).event(poll.kind());
            poll.ready(status, events);
            loopOf(data).eventOver();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    @SuppressWarnings("unused")
    private static void closed(long handle) {
        long data = 0;
        try {
            data = Memory.getLong(handle);
            handle(data).closed();
            loopOf(data).awaitReturn();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    @SuppressWarnings("unused")
    private static void fileDone(long request) {
        long data = 0;
        try {
            data = Memory.getLong(request);
            loopOf(data).event(UvEvent.REQUEST);
            ((UvFs) request(data)).completed();
            loopOf(data).eventOver();
        } catch (Throwable t) {
            failed(data, t);
        }
    }

    private static long stub(String method, ValueLayout... arguments) {
        try {
            var type = MethodType.methodType(
                    void.class,
                    Arrays.stream(arguments).map(ValueLayout::carrier).toArray(Class<?>[]::new));
            var target = MethodHandles.lookup().findStatic(Upcalls.class, method, type);
            return Linker.nativeLinker()
                    .upcallStub(target, FunctionDescriptor.ofVoid(arguments), Arena.global())
                    .address();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Stubs are made on first use: each costs milliseconds at start-up. */
    static final class Reading {
        static final long ALLOCATE = stub("allocate", JAVA_LONG, JAVA_LONG, JAVA_LONG);
        static final long READ = stub("read", JAVA_LONG, JAVA_LONG, JAVA_LONG);

        private Reading() {}
    }

    static final class Datagrams {
        static final long LEND = stub("lendDatagram", JAVA_LONG, JAVA_LONG, JAVA_LONG);
        static final long RECEIVED = stub("datagram", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);

        private Datagrams() {}
    }

    static final class Listening {
        static final long CONNECTION = stub("connection", JAVA_LONG, JAVA_INT);

        private Listening() {}
    }

    static final class Requests {
        static final long DONE = stub("requestDone", JAVA_LONG, JAVA_INT);

        private Requests() {}
    }

    static final class LookUps {
        static final long ADDRESSES = stub("addresses", JAVA_LONG, JAVA_INT, JAVA_LONG);
        static final long NAMES = stub("names", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);

        private LookUps() {}
    }

    static final class Files {
        static final long DONE = stub("fileDone", JAVA_LONG);

        private Files() {}
    }

    static final class Watching {
        static final long FIRE = stub("fire", JAVA_LONG);

        private Watching() {}
    }

    static final class Polling {
        static final long READY = stub("poll", JAVA_LONG, JAVA_INT, JAVA_INT);

        private Polling() {}
    }

    static final class Closing {
        static final long CLOSED = stub("closed", JAVA_LONG);

        private Closing() {}
    }
}
