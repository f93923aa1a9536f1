package io.github.uvloop4j;

import io.github.uvloop4j.carrier.LoopLog;
import io.github.uvloop4j.carrier.Schedulers;
import io.github.uvloop4j.carrier.TaskMode;

/** What the tasks of a loop ride on, by its options and by what the JVM allows. */
final class TaskModes {
    private TaskModes() {}

    static TaskMode choose(LoopOptions.Tasks wanted) {
        if (wanted == LoopOptions.Tasks.BATON) {
            return TaskMode.BATON;
        }
        if (Schedulers.available()) {
            return TaskMode.CARRIER;
        }
        if (wanted == LoopOptions.Tasks.CARRIER) {
            throw new IllegalStateException("tasks cannot ride on the loop thread: " + Schedulers.reason());
        }
        Notice.once();
        return TaskMode.BATON;
    }

    private static final class Notice {
        static {
            LoopLog.info("tasks run on the baton, which is slower: " + Schedulers.reason());
        }

        private Notice() {}

        static void once() {
            // Loading the class does it.
        }
    }
}
