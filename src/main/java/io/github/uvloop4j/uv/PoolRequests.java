package io.github.uvloop4j.uv;

import java.util.ArrayList;
import java.util.List;

/**
 * What libuv's pool still works on when a loop is closed. The pool writes to the loop and to the request when it is
 * done, and cannot be stopped: both stay until then, and a thread of our own waits for it.
 */
final class PoolRequests {
    private final UvLoop loop;

    PoolRequests(UvLoop loop) {
        this.loop = loop;
    }

    private List<UvRequest> pending() {
        var pending = new ArrayList<UvRequest>();
        for (int id = 1; id < loop.requests().bound(); id++) {
            var request = loop.requests().get(id);
            if (request != null && request.isPending()) {
                pending.add(request);
            }
        }
        return pending;
    }

    /** Takes back what no thread works on yet. */
    void cancel() {
        for (var request : pending()) {
            if (request instanceof UvPoolRequest work) {
                work.cancel();
            }
        }
    }

    /** Whether nothing but them keeps the loop. */
    boolean onlyTheyAreLeft() {
        var pending = pending();
        return !pending.isEmpty()
                && pending.stream().allMatch(request -> request instanceof UvPoolRequest)
                && loop.openHandles().isEmpty();
    }

    /** Tells those who wait that they were cancelled, and has a thread run the loop to its end, and an action after that. */
    void leave(Runnable end) {
        for (var request : pending()) {
            try {
                request.leave();
            } catch (Throwable thrown) {
                loop.callbackFailed(thrown);
            }
        }
        long address = loop.address();
        Runnable wait = () -> {
            while (HotCalls.run(address, UvLoop.Mode.ONCE.code()) != 0) {
                // What keeps it is still there.
            }
            end.run();
        };
        try {
            Thread.ofPlatform()
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .name("uvloop4j-left")
                    .start(wait);
        } catch (OutOfMemoryError noThread) {
            wait.run();
        }
    }
}
