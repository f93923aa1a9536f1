package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A JVM that does not let tasks ride on the loop thread. */
@Timeout(90)
class BatonNoticeTest {
    private static final String FLAG = "--add-opens=java.base/java.lang=ALL-UNNAMED";

    /** Runs a task and prints its result. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws Exception {
            var tasks = LoopOptions.Tasks.valueOf(arguments[0]);
            for (int i = 0; i < 2; i++) {
                try (var loop = EventLoop.create(LoopOptions.defaults().tasks(tasks))) {
                    System.out.println("rides " + loop.tasksRideOnLoop() + " " + loop.<Integer>run(() -> 42));
                } catch (IllegalStateException refused) {
                    System.out.println("refused: " + refused.getMessage());
                }
            }
        }
    }

    private static String run(LoopOptions.Tasks tasks) throws Exception {
        var result = new ChildJvm().withoutAddOpens().run(Main.class, tasks.name());
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    @Test
    void fallsBackAndSaysOnceHowToAvoidIt() throws Exception {
        var output = run(LoopOptions.Tasks.AUTO);
        assertThat(output).contains("rides false 42");
        assertThat(output.lines().filter(line -> line.contains("baton")))
                .singleElement()
                .asString()
                .endsWith("start java with " + FLAG);
    }

    @Test
    void saysNothingWhenTheBatonIsWanted() throws Exception {
        assertThat(run(LoopOptions.Tasks.BATON).lines()).containsOnly("rides false 42");
    }

    @Test
    void refusesWhenTheCarrierIsWanted() throws Exception {
        assertThat(run(LoopOptions.Tasks.CARRIER).lines())
                .containsOnly("refused: tasks cannot ride on the loop thread: start java with " + FLAG);
    }
}
