package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.concurrent.IoStatistics;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.dns.Resolver;
import io.github.uvloop4j.net.Network;
import io.github.uvloop4j.net.Sockets;
import io.github.uvloop4j.observe.Observers;
import io.github.uvloop4j.uv.UvLoop;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What all connections of a loop share: the receive buffer, the chunks, and who waits to be flushed. */
public final class LoopIo {
    private final LoopContext context;
    private final UvLoop uv;
    private final Observers observers;
    private final Resolver resolver;
    private final IoCounts counts = new IoCounts();
    private volatile boolean debug;
    private final int receiveSize;

    /** Allocated by the loop thread when it needs it, so that it lies where that thread is pinned to. */
    private @Nullable MemorySegment receive;

    private @Nullable ByteBuffer view;
    private volatile long receiveAddress;
    private final Chunks chunks = new Chunks();
    private final WriteRequests requests;
    private final Set<Closeables> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Integer, Object> owned = new HashMap<>();
    private final Network network;
    private final RawSockets sockets;
    private final RawPipes pipes;
    private final DatagramMemory datagrams = new DatagramMemory();
    private @Nullable TlsBuffers tls;
    private @Nullable Flush dirty;

    /** What is open and must be aborted when the loop closes. */
    interface Closeables {
        void abortNow();

        /** Whether it was closed, and still sends what was written before. */
        default boolean isFlushing() {
            return false;
        }

        /** Whether nobody has begun to close it. */
        default boolean isUnclosed() {
            return !isFlushing();
        }
    }

    /** The I/O of a loop. */
    public LoopIo(
            LoopContext context, UvLoop uv, Observers observers, Resolver resolver, int receiveBuffer, boolean debug) {
        this.context = context;
        this.uv = uv;
        this.observers = observers;
        this.resolver = resolver;
        this.debug = debug;
        this.receiveSize = receiveBuffer;
        this.requests = new WriteRequests(uv);
        this.network = new LoopNetwork(this);
        this.sockets = new RawSockets(this);
        this.pipes = new RawPipes(this);
    }

    /** Servers and connections. */
    public Network network() {
        return network;
    }

    /** Raw sockets. */
    public Sockets sockets() {
        return sockets;
    }

    RawSockets rawSockets() {
        return sockets;
    }

    RawPipes rawPipes() {
        return pipes;
    }

    LoopContext context() {
        return context;
    }

    UvLoop uv() {
        return uv;
    }

    Observers observers() {
        return observers;
    }

    Resolver resolver() {
        return resolver;
    }

    IoCounts counts() {
        return counts;
    }

    /** What went through its connections. Any thread. */
    public IoStatistics statistics() {
        return counts.snapshot();
    }

    boolean debug() {
        return debug;
    }

    /** Switches debug mode. Any thread. */
    public void debug(boolean enable) {
        debug = enable;
    }

    /** Whether nothing is open. Loop thread only. */
    public boolean isEmpty() {
        return open.isEmpty() && sockets.isEmpty();
    }

    private void checkThread() {
        if (!context.inLoop()) {
            throw new IllegalStateException(
                    "not on the loop thread but on " + Thread.currentThread() + ": use post, execute or submit");
        }
    }

    /** For what only reads a field, also after the end: elsewhere that is wrong but harmless, and debug mode's to tell. */
    void checkLook() {
        if (debug) {
            checkThread();
        }
    }

    void check() {
        checkThread();
        if (uv.isClosed()) {
            throw new IllegalStateException("the loop is closed");
        }
    }

    /** The memory that reads go to when nobody lends better. */
    MemorySegment receive() {
        var known = receive;
        return known == null ? allocateReceive() : known;
    }

    private MemorySegment allocateReceive() {
        var memory = Arena.ofAuto().allocate(receiveSize, 64);
        receive = memory;
        receiveAddress = memory.address();
        return memory;
    }

    /** How many bytes one read can bring. */
    int receiveSize() {
        return receiveSize;
    }

    /** Where the receive buffer is; 0 before anything was received. Any thread. */
    public long receiveAddress() {
        return receiveAddress;
    }

    /** The one view of it that protocols are shown; empty between calls. */
    ByteBuffer view() {
        var known = view;
        if (known == null) {
            known = receive().asByteBuffer().limit(0);
            view = known;
        }
        return known;
    }

    /** Whether a buffer is the view. */
    boolean isView(ByteBuffer buffer) {
        return buffer == view;
    }

    DatagramMemory datagrams() {
        return datagrams;
    }

    /** Made with the first connection that uses TLS. */
    TlsBuffers tls() {
        var known = tls;
        if (known == null) {
            known = new TlsBuffers(receiveSize);
            tls = known;
        }
        return known;
    }

    Chunks chunks() {
        return chunks;
    }

    WriteRequests requests() {
        return requests;
    }

    void opened(Closeables closeable) {
        open.add(closeable);
    }

    void closed(Closeables closeable) {
        open.remove(closeable);
    }

    /** A transport owns this descriptor: nobody may poll it. */
    void own(int fd, Object owner) {
        owned.put(fd, owner);
    }

    void disown(int fd) {
        owned.remove(fd);
    }

    @Nullable
    Object ownerOf(int fd) {
        return owned.get(fd);
    }

    void markDirty(Flush outgoing) {
        outgoing.nextDirty = dirty;
        dirty = outgoing;
    }

    /** Whether something waits for {@link #flush}. Loop thread only. */
    public boolean needsFlush() {
        return dirty != null;
    }

    /** Writes what was queued under back-pressure since the last flush. Loop thread only. */
    public void flush() {
        var outgoing = dirty;
        dirty = null;
        while (outgoing != null) {
            var next = outgoing.nextDirty;
            outgoing.nextDirty = null;
            try {
                outgoing.flushNow();
            } catch (Throwable error) {
                // The others must still be flushed.
                context.report("sending failed", error, null);
            }
            outgoing = next;
        }
    }

    /** Tells of all that is open and that nobody has begun to close. Loop thread only. */
    public void forEachUnclosed(Consumer<? super Created> consumer) {
        for (var closeable : new ArrayList<>(open)) {
            if (closeable instanceof Created created && closeable.isUnclosed()) {
                consumer.accept(created);
            }
        }
        sockets.forEachUnclosed(consumer);
    }

    /** Aborts every connection, listener and pending operation. Loop thread only. */
    public void abortAll() {
        for (var closeable : new ArrayList<>(open)) {
            closeable.abortNow();
        }
        sockets.abortAll();
    }

    /** Whether a connection that was closed still sends what was written before. Loop thread only. */
    public boolean isFlushing() {
        return open.stream().anyMatch(Closeables::isFlushing);
    }

    /** Frees what is pooled; nothing is written any more. Loop thread only. */
    public void close() {
        requests.close();
        chunks.close();
    }
}
