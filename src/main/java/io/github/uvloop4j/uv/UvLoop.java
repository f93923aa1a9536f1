package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import io.github.uvloop4j.util.NativeLibrary;
import io.github.uvloop4j.util.Slots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * libuv's loop. Binds {@code uv_loop_t}.
 *
 * <p>It belongs to the thread that created it, which runs and closes it, unless someone else {@link #drive drives} it.
 * What a callback throws goes to {@link #onError}; without one, {@link #run} rethrows the first. Loop thread only,
 * unless a method says otherwise.
 */
public final class UvLoop implements AutoCloseable {
    /** How long {@link #run} runs. */
    public enum Mode {
        /** Until nothing is active any more. */
        DEFAULT(uv.UV_RUN_DEFAULT()),
        /** One iteration, which may block for events. */
        ONCE(uv.UV_RUN_ONCE()),
        /** One iteration that does not block. */
        NOWAIT(uv.UV_RUN_NOWAIT());

        private final int code;

        Mode(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    private final long address;
    private final int index;
    private final Slots<UvHandle> handles = new Slots<>();
    private final Slots<UvRequest> requests = new Slots<>();
    private final List<UvPoll> startedPolls = new ArrayList<>();
    private final Thread creator = Thread.currentThread();
    private BooleanSupplier owner = () -> Thread.currentThread() == creator;
    private @Nullable Consumer<Throwable> errorHandler;
    private @Nullable Throwable firstError;
    private @Nullable Driver driver;
    private volatile boolean lent;
    private boolean running;
    private final EventMeter events = new EventMeter();
    private final HandleCounts handleCounts = new HandleCounts();

    private volatile boolean closed;

    /** What someone who drives a loop tells it. */
    public interface Host {
        /** Whether the caller may use the loop; asked at every call. Any thread. */
        boolean inLoop();

        /** Is told what callbacks throw; must not throw itself. Loop thread. */
        void callbackFailed(Throwable thrown);

        /** Whether there is work that does not wait for an event, so that the loop must not block. Loop thread. */
        boolean hasWork();
    }

    /** Who is told how long callbacks take. */
    @FunctionalInterface
    public interface Timing {
        /** Callbacks of one kind, one after the other, took so long. Must not throw. Loop thread. */
        void stretch(UvEvent kind, long nanos);
    }

    /** The right to run and close a loop, which others have no more. */
    public final class Driver {
        private final Host host;

        private Driver(Host host) {
            this.host = host;
        }

        /** {@link UvLoop#run}. */
        public boolean run(Mode mode) {
            return runNow(mode);
        }

        /**
         * Lends the loop to another thread while a callback is blocked: callbacks do not return into libuv before it is
         * given back. The host says who may use it meanwhile. Any thread.
         */
        public void lend(boolean value) {
            lent = value;
        }

        /** Has events be timed; null for not. */
        public void timing(@Nullable Timing value) {
            events.timing(value);
        }

        /** How many events the last run has called back for; closed handles are none. */
        public int events() {
            return events.events();
        }

        /** When the poll of the last run brought the first of them, by {@link System#nanoTime}; 0 when it brought none. */
        public long firstEventNanos() {
            return events.firstAt();
        }

        /** The callbacks of the last run were over at a time, by {@link System#nanoTime}. */
        public void eventsOver(long nanos) {
            events.allOver(nanos);
        }

        /** How many handles are open, by libuv's name of their type. Any thread. */
        public Map<String, Integer> handles() {
            return handleCounts.byName();
        }

        /** The number of the event whose callback runs now; 0 when none does. Any thread. */
        public long callback() {
            return events.callback();
        }

        /** {@link UvLoop#backendTimeout}. */
        public int backendTimeout() {
            return UvLoop.this.backendTimeout();
        }

        /** {@link UvLoop#close}. */
        public void close() {
            closeNow();
        }
    }

    private UvLoop() {
        address = Memory.allocate(uv.uv_loop_size());
        int status = uv.uv_loop_init(Memory.at(address));
        if (status < 0) {
            Memory.free(address);
            throw new UvException(status, "loop init");
        }
        index = Upcalls.register(this);
    }

    /**
     * A new loop. Binds {@code uv_loop_init}. Any thread.
     *
     * @throws UnsatisfiedLinkError when libuv cannot be loaded or is too old
     */
    public static UvLoop create() {
        NativeLibrary.load();
        UvVersion.checkSource();
        var version = UvVersion.loaded();
        if (!version.atLeast(UvVersion.OLDEST)) {
            throw new UnsatisfiedLinkError("libuv " + version + " from " + UvVersion.origin() + " is too old: "
                    + UvVersion.OLDEST + " or newer is needed");
        }
        Offsets.verify();
        return new UvLoop();
    }

    /** Takes the loop over: from now on only the driver runs and closes it, and its host says who may use it. */
    public Driver drive(Host host) {
        checkNotDriven();
        check();
        var taken = new Driver(host);
        driver = taken;
        owner = host::inLoop;
        errorHandler = host::callbackFailed;
        return taken;
    }

    private void checkNotDriven() {
        if (driver != null) {
            throw new IllegalStateException("an event loop drives this loop: use the event loop");
        }
    }

    /** Who is told what callbacks throw; must not throw itself. */
    public void onError(Consumer<Throwable> handler) {
        checkNotDriven();
        errorHandler = handler;
    }

    /** A watcher may have run before the poll, which must not block then if there is work. */
    void watcherRan() {
        var taken = driver;
        if (taken != null && running && taken.host.hasWork()) {
            uv.uv_stop(Memory.at(address));
        }
    }

    /** An event is about to be told to whoever waits for it. */
    void event(UvEvent kind) {
        events.begins(kind);
    }

    /** Whoever waited for an event has been told. */
    void eventOver() {
        events.over();
        awaitReturn();
    }

    /** The poll is over: this is the first that is heard of it. */
    void pollOver() {
        events.pollOver();
    }

    /** The end of a callback: libuv goes on after it, and must be alone then. */
    void awaitReturn() {
        // Asking the host makes this thread wait for who has the loop.
        while (lent && owner.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    Slots<UvHandle> handles() {
        return handles;
    }

    HandleCounts handleCounts() {
        return handleCounts;
    }

    Slots<UvRequest> requests() {
        return requests;
    }

    long data(int id) {
        return (long) index << 32 | id;
    }

    /** The loop's address, for other native code. Any thread. */
    public long address() {
        return address;
    }

    /** Throws unless the caller may use the loop and it is open. */
    void check() {
        if (!owner.getAsBoolean()) {
            throw new IllegalStateException("not on the loop thread: " + Thread.currentThread());
        }
        if (closed) {
            throw new IllegalStateException("the loop is closed");
        }
    }

    /** A poll that libuv registers with the kernel when it runs next. */
    void pollStarted(UvPoll poll) {
        startedPolls.add(poll);
    }

    /** libuv ends the process when it cannot register a descriptor: one that was closed meanwhile must not get there. */
    private void checkStartedPolls() {
        if (!startedPolls.isEmpty()) {
            var started = List.copyOf(startedPolls);
            startedPolls.clear();
            started.forEach(UvPoll::checkDescriptor);
        }
    }

    void callbackFailed(Throwable thrown) {
        var handler = errorHandler;
        if (handler != null) {
            handler.accept(thrown);
        } else if (firstError == null) {
            firstError = thrown;
            uv.uv_stop(Memory.at(address));
        }
    }

    /**
     * Runs the loop. Binds {@code uv_run}. Not from a callback.
     *
     * @return whether something is still active
     */
    public boolean run(Mode mode) {
        checkNotDriven();
        return runNow(mode);
    }

    private boolean runNow(Mode mode) {
        check();
        if (running) {
            throw new IllegalStateException("the loop is running: run it from outside its callbacks");
        }
        running = true;
        int alive;
        try {
            checkStartedPolls();
            events.polls();
            alive = HotCalls.run(address, mode.code);
        } finally {
            running = false;
        }
        rethrow();
        return alive != 0;
    }

    private void rethrow() {
        var error = firstError;
        if (error != null) {
            firstError = null;
            throw new IllegalStateException("a callback failed: " + error, error);
        }
    }

    /** Makes {@link #run} return after the current iteration. Binds {@code uv_stop}. */
    public void stop() {
        check();
        uv.uv_stop(Memory.at(address));
    }

    /** Whether something is active. Binds {@code uv_loop_alive}. */
    public boolean isAlive() {
        check();
        return uv.uv_loop_alive(Memory.at(address)) != 0;
    }

    /** The cached time in ms from an arbitrary start. Binds {@code uv_now}. */
    public long now() {
        check();
        return uv.uv_now(Memory.at(address));
    }

    /** Refreshes the cached time. Binds {@code uv_update_time}. */
    public void updateTime() {
        check();
        HotCalls.updateTime(address);
    }

    /** The descriptor to wait on in a foreign loop. Binds {@code uv_backend_fd}. */
    public int backendFd() {
        check();
        return uv.uv_backend_fd(Memory.at(address));
    }

    /** How long that wait may last, in ms; -1 without limit. Binds {@code uv_backend_timeout}. */
    public int backendTimeout() {
        check();
        return uv.uv_backend_timeout(Memory.at(address));
    }

    /** The handles that are not closed yet. */
    public List<UvHandle> openHandles() {
        var open = new ArrayList<UvHandle>();
        for (int id = 1; id < handles.bound(); id++) {
            var handle = handles.get(id);
            if (handle != null) {
                open.add(handle);
            }
        }
        return open;
    }

    /** How many requests libuv still works on. */
    public int pendingRequests() {
        int pending = 0;
        for (int id = 1; id < requests.bound(); id++) {
            var request = requests.get(id);
            if (request != null && request.isPending()) {
                pending++;
            }
        }
        return pending;
    }

    /**
     * Closes every handle and the loop, and frees its memory. Binds {@code uv_loop_close}. A second call does nothing.
     * It does not wait for what a thread of libuv's pool works on: see {@link UvPoolRequest}.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        checkNotDriven();
        closeNow();
    }

    private void closeNow() {
        check();
        if (running) {
            throw new IllegalStateException("the loop is running: close it from outside its callbacks");
        }
        running = true;
        var pool = new PoolRequests(this);
        boolean alive;
        try {
            do {
                // Close callbacks come at the end of an iteration, and may open other handles.
                closeHandles();
                pool.cancel();
                alive = HotCalls.run(address, pool.onlyTheyAreLeft() ? Mode.NOWAIT.code : Mode.ONCE.code) != 0;
            } while (alive && !pool.onlyTheyAreLeft());
        } finally {
            running = false;
        }
        if (alive) {
            closed = true;
            events.timing(null);
            pool.leave(this::finish);
        } else {
            finish();
        }
        rethrow();
    }

    /** Frees the loop, once libuv has nothing to do on it. */
    private void finish() {
        UvException.check(uv.uv_loop_close(Memory.at(address)), "loop close");
        closed = true;
        for (int id = 1; id < requests.bound(); id++) {
            var request = requests.get(id);
            if (request != null) {
                request.release();
            }
        }
        Upcalls.unregister(index);
        Memory.free(address);
    }

    private void closeHandles() {
        for (var handle : openHandles()) {
            if (!handle.isClosing()) {
                handle.close();
            }
        }
    }

    /** Whether it was closed. Any thread. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public String toString() {
        return "UvLoop@" + Long.toHexString(address) + (closed ? "[closed]" : "");
    }
}
