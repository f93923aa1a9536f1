package io.github.uvloop4j.testing;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.LoopFuture;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.Period;

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

    /** Comes as often as the states of loops do. */
    @Name("Tick")
    @Period("20 ms")
    private static final class Tick extends Event {}

    /** Done when the recorder has asked so often for what comes again and again. */
    private static LoopFuture<Integer> ticks(EventLoop loop, int times) {
        var enough = loop.<Integer>createFuture();
        var seen = new AtomicInteger();
        FlightRecorder.addPeriodicEvent(Tick.class, () -> {
            if (seen.incrementAndGet() >= times) {
                enough.complete(times);
            }
        });
        return enough;
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
            loop.run(() -> loop.spawn("after", () -> {
                        if (args.length > 0) {
                            ticks(loop, 6).await();
                        }
                    })
                    .await());
        }
        if (args.length > 0) {
            Command.run("jfrStop", "name=it", "filename=" + args[0]);
        }
        System.out.println("the program ends");
    }
}
