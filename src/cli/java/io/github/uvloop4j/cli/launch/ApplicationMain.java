package io.github.uvloop4j.cli.launch;

import io.github.uvloop4j.GroupOptions;
import io.github.uvloop4j.LoopApplication;
import io.github.uvloop4j.cli.process.Signals;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What runs in the JVM that {@code launch} starts: the name of the application's class, then its arguments. */
public final class ApplicationMain {
    private static final int BAD_ARGUMENTS = 2;

    private ApplicationMain() {}

    /** Runs it; the exit status is its own. */
    public static void main(String[] args) throws Throwable {
        var arguments = List.of(args).subList(1, args.length);
        Class<?> type;
        try {
            type = load(args[0]);
        } catch (IllegalArgumentException e) {
            complain(e.getMessage());
            System.exit(BAD_ARGUMENTS);
            return;
        }
        if (LoopApplication.class.isAssignableFrom(type)) {
            System.exit(runApplication(type.asSubclass(LoopApplication.class), arguments));
        }
        var main = MainMethod.of(type);
        if (main == null) {
            complain(type.getName() + " is neither a LoopApplication nor has it a main method");
            System.exit(BAD_ARGUMENTS);
            return;
        }
        ParentWatch.start(ApplicationMain::exitAsOrphan);
        main.call(arguments);
    }

    private static int runApplication(Class<? extends LoopApplication> type, List<String> arguments) {
        var constructor = publicConstructor(type);
        if (constructor == null) {
            complain(type.getName() + " needs to be a public class with a public constructor without parameters");
            return BAD_ARGUMENTS;
        }
        GroupOptions options;
        try {
            options = GroupOptions.defaults();
        } catch (IllegalArgumentException e) {
            complain(e.getMessage());
            return BAD_ARGUMENTS;
        }
        return new ApplicationRun(options, Thread.currentThread()).run(constructor, arguments);
    }

    private static <T> @Nullable Constructor<T> publicConstructor(Class<T> type) {
        try {
            var constructor = type.getConstructor();
            boolean open = Modifier.isPublic(type.getModifiers()) && !Modifier.isAbstract(type.getModifiers());
            return open ? constructor : null;
        } catch (NoSuchMethodException _) {
            return null;
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException _) {
            throw new IllegalArgumentException("no class " + name + " on the class path");
        } catch (LinkageError e) {
            throw new IllegalArgumentException("class " + name + " cannot be loaded: " + e, e);
        }
    }

    /** The launcher cannot pass signals on any more: as if it had. */
    private static void exitAsOrphan() {
        Thread.ofPlatform().daemon().name("orphan-end").start(() -> {
            try {
                Thread.sleep(GroupOptions.defaults().shutdownTimeout().plus(ApplicationRun.SLACK));
            } catch (InterruptedException _) {
                // Then at once.
            }
            Runtime.getRuntime().halt(Signals.HUP.exitStatus());
        });
        System.exit(Signals.HUP.exitStatus());
    }

    static void complain(@Nullable String line) {
        System.err.println("uvloop4j launch: " + line);
    }
}
