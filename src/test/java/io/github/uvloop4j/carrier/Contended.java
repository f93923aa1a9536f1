package io.github.uvloop4j.carrier;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
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
    /** The lock of a log handler, held while it formats. */
    LOGGER {
        @Override
        Lock create() {
            var inside = new ThreadLocal<Runnable>();
            var name = "contended." + System.nanoTime();
            var backend = Logger.getLogger(name);
            backend.setUseParentHandlers(false);
            backend.addHandler(new StreamHandler(OutputStream.nullOutputStream(), new Formatter() {
                @Override
                public String format(LogRecord entry) {
                    inside.get().run();
                    return "";
                }
            }));
            return action -> {
                inside.set(action);
                backend.getName();
                System.getLogger(name).log(System.Logger.Level.INFO, "x");
            };
        }
    };

    /** A lock that is held while an action runs. */
    interface Lock {
        void hold(Runnable action);
    }

    abstract Lock create();

    private static Lock of(ReentrantLock lock) {
        return action -> {
            lock.lock();
            try {
                action.run();
            } finally {
                lock.unlock();
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
            inside.get().run();
        }
    }
}
