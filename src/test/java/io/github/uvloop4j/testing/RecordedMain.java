package io.github.uvloop4j.testing;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.Task;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A program that runs a loop, for a JVM of its own. With the name of a file it has the JVM record the second half of
 * it, as jcmd would.
 */
public final class RecordedMain {
    /** What the JVM needs java.management for. */
    private static final class Command {
        private Command() {}

        static void run(String name, String... arguments) throws JMException {
            var command = new ObjectName("com.sun.management:type=DiagnosticCommand");
            var result = ManagementFactory.getPlatformMBeanServer()
                    .invoke(command, name, new Object[] {arguments}, new String[] {String[].class.getName()});
            System.out.println(result);
        }
    }

    private RecordedMain() {}

    /** Runs it. */
    public static void main(String[] args) throws Exception {
        System.out.println("the library is in " + EventLoop.class.getModule());
        try (var loop = EventLoop.create(LoopOptions.defaults().name("program"))) {
            loop.run(() -> loop.spawn("before", () -> {}).await());
            if (args.length > 0) {
                System.out.println("the recording starts");
                Command.run("jfrStart", "name=it", "+uvloop4j.Loop#period=20ms", "+uvloop4j.Turn#busy=1h");
            }
            loop.run(() -> loop.spawn("after", () -> Task.sleep(Duration.ofMillis(200)))
                    .await());
        }
        if (args.length > 0) {
            Command.run("jfrStop", "name=it", "filename=" + args[0]);
        }
        System.out.println("the program ends");
    }
}
