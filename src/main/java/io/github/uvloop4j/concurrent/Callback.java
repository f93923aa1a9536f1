package io.github.uvloop4j.concurrent;

import org.jspecify.annotations.Nullable;

/** One thing to do when a future ends: a node of the future's list and, once it is due, of the loop's ready queue. */
abstract class Callback implements Runnable {
    @Nullable
    Callback next;

    /** Called where the future was completed: hands itself to the loop, or wakes a thread. */
    abstract void fire(@Nullable LoopContext context);

    /** {@link #fire} on the loop thread. */
    void fireInLoop(LoopContext loop) {
        loop.soon(this);
    }

    /** Puts the callback into its loop's queue, or runs it here when the future has no loop. */
    final void enqueue(@Nullable LoopContext context) {
        if (context == null) {
            Nested.run(this);
        } else if (context.inLoop()) {
            context.soon(this);
        } else {
            LoopFuture.postQuietly(context, this);
        }
    }

    /** Oldest first: the list was built newest first. */
    static Callback reverse(Callback newest) {
        if (newest.next == null) {
            return newest;
        }
        Callback oldest = null;
        for (Callback node = newest; node != null; ) {
            var next = node.next;
            node.next = oldest;
            oldest = node;
            node = next;
        }
        return oldest == null ? newest : oldest;
    }

    /** A callback that runs in the context in which it was added. */
    static final class Enclosed extends Callback {
        private final Context surroundings;
        private final Callback callback;

        Enclosed(Context surroundings, Callback callback) {
            this.surroundings = surroundings;
            this.callback = callback;
        }

        @Override
        void fire(@Nullable LoopContext context) {
            enqueue(context);
        }

        @Override
        public void run() {
            surroundings.run(callback);
        }

        @Override
        public String toString() {
            return callback.toString();
        }
    }

    /** The node of a thread that waits outside any loop. */
    static final class Signal extends Callback {
        private final Thread thread = Thread.currentThread();

        @Override
        void fire(@Nullable LoopContext context) {
            run();
        }

        @Override
        void fireInLoop(LoopContext loop) {
            run();
        }

        @Override
        public void run() {
            java.util.concurrent.locks.LockSupport.unpark(thread);
        }
    }

    /** The node of a task that waits. */
    static final class Waiter extends Callback {
        private final WaitingTask<?> task;

        /** While set, a completing thread may still touch the node, and the task must not use it for another wait. */
        private volatile boolean linked;

        Waiter(WaitingTask<?> task) {
            this.task = task;
        }

        boolean isLinked() {
            return linked;
        }

        void link(boolean value) {
            linked = value;
        }

        @Override
        void fire(@Nullable LoopContext context) {
            linked = false;
            task.unpark();
        }

        @Override
        void fireInLoop(LoopContext loop) {
            linked = false;
            task.unpark();
        }

        @Override
        public void run() {
            task.unpark();
        }
    }
}
