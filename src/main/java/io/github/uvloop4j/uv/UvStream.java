package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A duplex stream of bytes. Binds {@code uv_stream_t}. Loop thread only. */
public abstract sealed class UvStream extends UvHandle permits UvTcp, UvPipe {
    /** Who lends memory to read into, and is told what was read. */
    public interface Reader {
        /** Lends memory by {@link UvStream#lend}; what lends none is told ENOBUFS. Loop thread. */
        void allocate(UvStream stream, long suggested);

        /**
         * Tells how many bytes are in what was lent last. A negative count is an error or {@link UvErrno#EOF}: libuv
         * has stopped reading, but after ENOBUFS. Zero is nothing. Loop thread.
         */
        void read(UvStream stream, int count);
    }

    private static final Reader NOBODY = new Reader() {
        @Override
        public void allocate(UvStream stream, long suggested) {
            throw new IllegalStateException("nobody reads");
        }

        @Override
        public void read(UvStream stream, int count) {}
    };

    /** One descriptor for {@link #tryWrite}: filled and read within the call. */
    private final long scratch = Memory.allocate(16);

    private final Lending lending = new Lending(() -> HotCalls.readStop(raw()));
    private Reader reader = NOBODY;
    private @Nullable IntConsumer onConnection;

    UvStream(UvLoop loop, int type) {
        super(loop, type);
    }

    /** Reads until {@link #readStop}. Binds {@code uv_read_start}. */
    public final void readStart(Reader to) {
        Objects.requireNonNull(to, "reader");
        long handle = open();
        if (!lending.forgetsStop()) {
            UvException.check(HotCalls.readStart(handle, Upcalls.Reading.ALLOCATE, Upcalls.Reading.READ), "read start");
        }
        reader = to;
    }

    /** Stops reading. Binds {@code uv_read_stop}. A second call does nothing. */
    public final void readStop() {
        long handle = open();
        if (!lending.keepsStop()) {
            UvException.check(HotCalls.readStop(handle), "read stop");
        }
    }

    @Override
    final boolean closesLater(Runnable call) {
        return lending.keepsClose(call);
    }

    /** Changes who reads, between two reads. */
    public final void reader(Reader to) {
        reader = Objects.requireNonNull(to, "reader");
    }

    /** Lends part of a native segment; only from {@link Reader#allocate}. */
    public final void lend(MemorySegment memory, long offset, long length) {
        lending.lend(memory, offset, length);
    }

    final void allocate(long suggested, long buffer) {
        lending.asks(buffer);
        try {
            reader.allocate(this, suggested);
        } finally {
            lending.asked();
        }
    }

    final void received(int count) {
        if (!lending.doesWhatWasKept() && !isClosing()) {
            reader.read(this, count);
        }
    }

    /**
     * Listens; the callback is told each connection or error, and calls {@link #accept} once. Binds {@code uv_listen}.
     */
    public final void listen(int backlog, IntConsumer connection) {
        Objects.requireNonNull(connection, "callback");
        int status = uv.uv_listen(Memory.at(open()), backlog, Memory.at(Upcalls.Listening.CONNECTION));
        UvException.check(status, "listen");
        onConnection = connection;
    }

    final boolean isListening() {
        return onConnection != null;
    }

    final void incoming(int status) {
        var callback = onConnection;
        if (callback != null && !isClosing()) {
            callback.accept(status);
        }
    }

    /** Takes the connection that was announced into a fresh stream of the same loop. Binds {@code uv_accept}. */
    public final void accept(UvStream client) {
        if (client.loop != loop) {
            throw new IllegalArgumentException("the client belongs to another loop");
        }
        UvException.check(uv.uv_accept(Memory.at(open()), Memory.at(client.open())), "accept");
    }

    /**
     * Writes what the kernel takes at once. Binds {@code uv_try_write}.
     *
     * @return how many bytes, or a negative code: EAGAIN when none could go or others are queued before
     */
    public final int tryWrite(MemorySegment data, long offset, long length) {
        long address = Memory.addressOf(data, offset, length);
        long handle = open();
        Memory.putLong(scratch, address);
        Memory.putLong(scratch + 8, length);
        return HotCalls.tryWrite(handle, scratch, 1);
    }

    /** {@link #tryWrite(MemorySegment, long, long)} with all buffers of a request, which stays unused. */
    public final int tryWrite(UvWrite gathered) {
        long handle = open();
        gathered.checkUsable();
        if (gathered.count() == 0) {
            throw new IllegalArgumentException("nothing to write");
        }
        return HotCalls.tryWrite(handle, gathered.buffers(), gathered.count());
    }

    /** Writes all buffers of a request; the callback gets 0 or a negative code. Binds {@code uv_write}. */
    public final void write(UvWrite request, IntConsumer done) {
        long stream = open();
        if (request.count() == 0) {
            throw new IllegalArgumentException("nothing to write");
        }
        long address = request.begin(done, loop);
        int status = HotCalls.write(address, stream, request.buffers(), request.count(), Upcalls.Requests.DONE);
        request.begun(status, "write");
    }

    /** Ends writing after what is queued; the callback gets 0 or a negative code. Binds {@code uv_shutdown}. */
    public final void shutdown(UvShutdown request, IntConsumer done) {
        var stream = Memory.at(open());
        long address = request.begin(done, loop);
        int status = uv.uv_shutdown(Memory.at(address), stream, Memory.at(Upcalls.Requests.DONE));
        request.begun(status, "shutdown");
    }

    /** How many bytes libuv holds to be written. Binds {@code uv_stream_get_write_queue_size}. */
    public final long writeQueueSize() {
        return isClosing() ? 0 : Offsets.writeQueueSize(open());
    }

    /** Whether it can be read. Binds {@code uv_is_readable}. */
    public final boolean isReadable() {
        return uv.uv_is_readable(Memory.at(open())) != 0;
    }

    /** Whether it can be written. Binds {@code uv_is_writable}. */
    public final boolean isWritable() {
        return uv.uv_is_writable(Memory.at(open())) != 0;
    }

    @Override
    final void onReleased() {
        Memory.free(scratch);
        reader = NOBODY;
        lending.release();
        onConnection = null;
    }
}
