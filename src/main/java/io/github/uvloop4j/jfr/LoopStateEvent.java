package io.github.uvloop4j.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** All but what is open or under way counts from the making of the loop on. Histograms are as {@code Histogram.encoded}. */
@Name("uvloop4j.Loop")
@Label("Loop")
@Description("What a loop has done since it was made; once more when it is closed")
@Period("1 s")
final class LoopStateEvent extends LoopEvent {
    @Label("Thread")
    @Description("The thread that runs it now")
    @Nullable
    Thread thread;

    @Label("Thread Id")
    @Description("The kernel's number of that thread, or 0")
    long threadId;

    @Label("CPUs")
    @Description("The CPUs which that thread may use, as the kernel lists them")
    String cpus = "";

    @Label("Running")
    @Description("Whether it runs now")
    boolean running;

    @Label("Tasks Ride")
    @Description("What tasks ride on: carrier, the loop's thread, or baton")
    String tasksRide = "";

    @Label("Turns")
    @Description("How many turns it took")
    long turns;

    @Label("Busy")
    @Description("How long turns kept the thread busy")
    @Timespan
    long busy;

    @Label("Polled")
    @Description("How long polls were blocked")
    @Timespan
    long polled;

    @Label("Calls")
    @Description("How many calls, timers and steps of tasks were run")
    long calls;

    @Label("Posts")
    @Description("How many calls came from other threads")
    long posts;

    @Label("Polls for Ready")
    @Description("How many polls did not block since something was ready")
    long pollsForReady;

    @Label("Polls for Timers")
    @Description("How many polls were limited by a timer")
    long pollsForTimers;

    @Label("Polls for Events")
    @Description("How many polls were not limited")
    long pollsForEvents;

    @Label("Events")
    @Description("How many callbacks of events there were")
    long events;

    @Label("Tasks")
    @Description("How many tasks have not ended")
    int tasks;

    @Label("Tasks Made")
    @Description("How many tasks were made")
    long tasksMade;

    @Label("Offloaded")
    @Description("How many calls were given to executors")
    long offloaded;

    @Label("Connections")
    @Description("How many connections are open")
    int connections;

    @Label("Accepted")
    @Description("How many connections came in by a server")
    long accepted;

    @Label("Bytes Received")
    @Description("What connections have received")
    @DataAmount
    long bytesReceived;

    @Label("Bytes Sent")
    @Description("What of connections the kernel has taken")
    @DataAmount
    long bytesSent;

    @Label("Pauses")
    @Description("How often a connection had too much to send and its writer was told to wait")
    long pauses;

    @Label("Oversleeps")
    @Description("How many polls outlasted their limit by a millisecond or more")
    long oversleeps;

    @Label("Overslept")
    @Description("By how much they did")
    @Timespan
    long overslept;

    @Label("Handles")
    @Description("How many handles of libuv are open, by their type")
    String handles = "";

    @Label("Turn Histogram")
    @Description("How long turns kept the thread busy")
    String turnHistogram = "";

    @Label("Turn Max")
    @Description("The longest")
    @Timespan
    long turnMax;

    @Label("Poll Histogram")
    @Description("How long polls were blocked")
    String pollHistogram = "";

    @Label("Poll Max")
    @Description("The longest")
    @Timespan
    long pollMax;

    @Label("Ready Delay Histogram")
    @Description("How long what was ready had waited for its turn")
    String readyDelayHistogram = "";

    @Label("Ready Delay Max")
    @Description("The longest")
    @Timespan
    long readyDelayMax;

    @Label("Wake Delay Histogram")
    @Description("How long it took from a post that had to wake the loop to the turn that runs it")
    String wakeDelayHistogram = "";

    @Label("Wake Delay Max")
    @Description("The longest")
    @Timespan
    long wakeDelayMax;

    @Label("Timer Lateness Histogram")
    @Description("How late timers were moved to what is ready")
    String timerLatenessHistogram = "";

    @Label("Timer Lateness Max")
    @Description("The latest")
    @Timespan
    long timerLatenessMax;

    @Label("Call Time")
    @Description("Time in calls that were queued or posted, and callbacks of futures")
    @Timespan
    long callTime;

    @Label("Timer Time")
    @Description("Time in timers")
    @Timespan
    long timerTime;

    @Label("Step Time")
    @Description("Time in steps of tasks")
    @Timespan
    long stepTime;

    @Label("Read Time")
    @Description("Time in streams that had something to read")
    @Timespan
    long readTime;

    @Label("Accept Time")
    @Description("Time in connections that came in")
    @Timespan
    long acceptTime;

    @Label("Request Time")
    @Description("Time in requests that have ended: writes, connects, shutdowns")
    @Timespan
    long requestTime;

    @Label("Poll Time")
    @Description("Time in descriptors that were ready")
    @Timespan
    long pollTime;

    @Label("Watcher Time")
    @Description("Time in libuv's own watchers, and what wakes the loop")
    @Timespan
    long watcherTime;
}
