package io.github.uvloop4j.cli.observe;

import java.time.Instant;

/**
 * A call that held up a loop's thread, or one of its tasks, as the JVM has recorded it.
 *
 * @param at when it began
 * @param kind what it was
 * @param nanos how long it took
 * @param frame where, the innermost frame of the program itself
 * @param what the file, the lock's class or whatever else it was about; empty if that is not known
 */
public record Wait(Instant at, Kind kind, long nanos, String frame, String what) {
    /** Kinds of such calls. */
    public enum Kind {
        /** Another thread had the monitor. */
        MONITOR("jdk.JavaMonitorEnter", "waits for a monitor that another thread holds", "monitorClass", false),
        /** Object.wait. */
        OBJECT_WAIT("jdk.JavaMonitorWait", "calls Object.wait", "monitorClass", false),
        /** Parked: a lock, a queue, a future. */
        PARK("jdk.ThreadPark", "is parked", "parkedClass", false),
        /** Thread.sleep. */
        SLEEP("jdk.ThreadSleep", "sleeps", "", false),
        /** A task that waits and takes the thread with it. */
        PINNED("jdk.VirtualThreadPinned", "waits pinned, and the thread with it", "pinnedReason", true),
        /** A blocking socket of the JDK. */
        SOCKET_READ("jdk.SocketRead", "reads from a blocking socket", "host", false),
        /** The same. */
        SOCKET_WRITE("jdk.SocketWrite", "writes to a blocking socket", "host", false),
        /** A file. */
        FILE_READ("jdk.FileRead", "reads a file", "path", true),
        /** A file. */
        FILE_WRITE("jdk.FileWrite", "writes a file", "path", true),
        /** A file. */
        FILE_FORCE("jdk.FileForce", "forces a file to the disk", "path", true);

        private final String event;
        private final String words;
        private final String field;
        private final boolean inTasks;

        Kind(String event, String words, String field, boolean inTasks) {
            this.event = event;
            this.words = words;
            this.field = field;
            this.inTasks = inTasks;
        }

        /** The event that tells it. */
        String event() {
            return event;
        }

        /** The event's field that says what it was about, or empty. */
        String field() {
            return field;
        }

        /** What the thread does, for people. */
        public String words() {
            return words;
        }

        /** Whether it holds up the loop also when a task does it, which else only parks the task. */
        boolean blocksTasks() {
            return inTasks;
        }
    }
}
