package io.github.uvloop4j.cli.process;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** The signals that ask a program to end: handled by the JDK's own means, and sent to other processes. Any thread. */
public enum Signals {
    /** The terminal is gone. */
    HUP(1),
    /** Ctrl-C. */
    INT(2),
    /** The polite end. */
    TERM(15);

    private static final int KILLED = 128;

    private final int number;

    Signals(int number) {
        this.number = number;
    }

    /** The exit status of a process that this signal has ended. */
    public int exitStatus() {
        return KILLED + number;
    }

    /**
     * Takes the signal from the JVM, which would end; one that is ignored since the start, as by nohup, stays so.
     *
     * @param action runs each time it comes, on a thread of its own
     * @return whether that is possible: not where the JDK has no module jdk.unsupported, or the JVM runs with -Xrs
     */
    public boolean handle(Runnable action) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            var handler = Class.forName("sun.misc.SignalHandler");
            var proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return objectMethod(self, method.getName(), arguments);
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name()), proxy);
            return true;
        } catch (ReflectiveOperationException | LinkageError _) {
            return false;
        }
    }

    private static @Nullable Object objectMethod(Object self, String name, Object @Nullable [] arguments) {
        return switch (name) {
            case "hashCode" -> System.identityHashCode(self);
            case "equals" -> arguments != null && self == arguments[0];
            case "toString" -> "signal handler";
            default -> null;
        };
    }

    /** Sends the signal to a process if it still runs; SIGTERM where no other can be sent. */
    public void send(Process process) {
        if (!process.isAlive()) {
            return;
        }
        if (this == TERM || !Kernel.kill(process.pid(), number)) {
            process.destroy();
        }
    }

    /** The system call: Java itself sends SIGTERM and SIGKILL only. */
    private static final class Kernel {
        private static final MethodHandle KILL = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

        private Kernel() {}

        static boolean kill(long pid, int signal) {
            try {
                return (int) KILL.invokeExact((int) pid, signal) == 0;
            } catch (Throwable _) {
                return false;
            }
        }
    }
}
