package io.github.uvloop4j.carrier;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/** The kinds of locks that a callback and a task may both want. */
enum Contended {
    UNFAIR {
        @Override
        Lock create() {
            return of(new ReentrantLock());
        }
    },
    FAIR {
        @Override
        Lock create() {
            return of(new ReentrantLock(true));
        }
    },
    /** Every other one reads. */
    READ_WRITE {
        @Override
        Lock create() {
            var lock = new ReentrantReadWriteLock();
            var turns = new AtomicInteger();
            return action ->
                    (turns.getAndIncrement() % 2 == 0 ? of(lock.writeLock()) : of(lock.readLock())).hold(action);
        }
    },
    MONITOR {
        @Override
        Lock create() {
            var monitor = new Object();
            return action -> {
                synchronized (monitor) {
                    action.run();
                }
            };
        }
    },
    /** A lock made of wait and notifyAll. */
    WAIT_NOTIFY {
        @Override
        Lock create() {
            var monitor = new Object();
            var taken = new AtomicBoolean();
            return between(
                    () -> {
                        synchronized (monitor) {
                            while (taken.get()) {
                                monitor.wait();
                            }
                            taken.set(true);
                        }
                    },
                    () -> {
                        synchronized (monitor) {
                            taken.set(false);
                            monitor.notifyAll();
                        }
                    });
        }
    },
    CONDITION {
        @Override
        Lock create() {
            var lock = new ReentrantLock();
            var free = lock.newCondition();
            var taken = new AtomicBoolean();
            return between(
                    () -> {
                        lock.lock();
                        try {
                            while (taken.get()) {
                                free.await();
                            }
                            taken.set(true);
                        } finally {
                            lock.unlock();
                        }
                    },
                    () -> {
                        lock.lock();
                        try {
                            taken.set(false);
                            free.signal();
                        } finally {
                            lock.unlock();
                        }
                    });
        }
    },
    SEMAPHORE {
        @Override
        Lock create() {
            var permits = new Semaphore(1);
            return between(permits::acquire, permits::release);
        }
    },
    /** Who has taken the one element holds the lock. */
    BLOCKING_QUEUE {
        @Override
        Lock create() {
            var queue = new ArrayBlockingQueue<String>(1);
            queue.add("x");
            return between(queue::take, () -> queue.put("x"));
        }
    },
    /** Each joins the future of the one before it. */
    JOIN {
        @Override
        Lock create() {
            var last = new AtomicReference<>(CompletableFuture.completedFuture(true));
            return action -> {
                var own = new CompletableFuture<Boolean>();
                last.getAndSet(own).join();
                try {
                    action.run();
                } finally {
                    own.complete(true);
                }
            };
        }
    },
    /** The lock of a stream such as System.out, held while it writes. */
    PRINT_STREAM {
        @Override
        Lock create() {
            var inside = new ThreadLocal<Runnable>();
            var stream = new PrintStream(new Sink(inside), true, StandardCharsets.UTF_8);
            return action -> {
                inside.set(action);
                stream.print("x");
            };
        }
    },
    /** The lock of a log handler, held while it writes. */
    LOGGER {
        @Override
        Lock create() {
            var inside = new ThreadLocal<Runnable>();
            var name = "contended." + COUNT.incrementAndGet();
            var backend = Logger.getLogger(name);
            backend.setUseParentHandlers(false);
            backend.addHandler(new StreamHandler(new Sink(inside), new Formatter() {
                @Override
                public String format(LogRecord entry) {
                    // Too long for the handler's buffer.
                    return "x".repeat(10_000);
                }
            }));
            return action -> {
                inside.set(action);
                backend.getName();
                System.getLogger(name).log(System.Logger.Level.INFO, "x");
            };
        }
    };

    private static final AtomicInteger COUNT = new AtomicInteger();

    /** A lock that is held while an action runs. */
    interface Lock {
        void hold(Runnable action);
    }

    abstract Lock create();

    private interface Blocking {
        void run() throws InterruptedException;
    }

    private static Lock of(java.util.concurrent.locks.Lock lock) {
        return between(lock::lock, lock::unlock);
    }

    private static Lock between(Blocking acquire, Blocking release) {
        return action -> {
            try {
                acquire.run();
                try {
                    action.run();
                } finally {
                    release.run();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
    }

    private static final class Sink extends OutputStream {
        private final ThreadLocal<Runnable> inside;

        Sink(ThreadLocal<Runnable> inside) {
            this.inside = inside;
        }

        @Override
        public void write(int b) {
            write(new byte[1], 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            var action = inside.get();
            inside.remove();
            if (action != null) {
                action.run();
            }
        }
    }
}
