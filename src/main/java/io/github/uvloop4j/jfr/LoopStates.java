package io.github.uvloop4j.jfr;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.AffinityException;
import io.github.uvloop4j.carrier.Aboard;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopRegistry;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.concurrent.LoopView;
import io.github.uvloop4j.concurrent.WorkKind;
import java.util.stream.Collectors;

/** Writes what loops have done. Any thread. */
final class LoopStates {
    private LoopStates() {}

    /** One event for each loop that is open. */
    static void emitAll() {
        Aboard.run(() -> LoopRegistry.all().stream().map(LoopContext::view).forEach(LoopStates::emit));
    }

    static void emit(LoopView view) {
        var event = new LoopStateEvent();
        if (!event.isEnabled()) {
            return;
        }
        event.of(view);
        describe(event, view);
        var statistics = view.statistics();
        count(event, statistics);
        histograms(event, statistics);
        times(event, statistics);
        event.commitAboard();
    }

    private static void describe(LoopStateEvent event, LoopView view) {
        event.thread = view.thread();
        event.threadId = view.threadId();
        event.cpus = event.threadId == 0 ? "" : cpus(event.threadId);
        event.running = view.isRunning();
        event.tasksRide = view.tasksRideOnLoop() ? "carrier" : "baton";
    }

    private static String cpus(long threadId) {
        try {
            return Affinity.of(threadId).toString();
        } catch (AffinityException gone) {
            return "";
        }
    }

    private static void count(LoopStateEvent event, LoopStatistics statistics) {
        event.turns = statistics.turns().count();
        event.calls = statistics.calls();
        event.posts = statistics.posts();
        event.pollsForReady = statistics.pollsForReady();
        event.pollsForTimers = statistics.pollsForTimers();
        event.pollsForEvents = statistics.pollsForEvents();
        event.events = statistics.events().total();
        event.tasks = statistics.tasks();
        event.tasksMade = statistics.tasksMade();
        event.offloaded = statistics.offloaded();
        event.oversleeps = statistics.oversleeps().count();
        var io = statistics.io();
        event.connections = io.open();
        event.accepted = io.accepted();
        event.bytesReceived = io.bytesReceived();
        event.bytesSent = io.bytesSent();
        event.pauses = io.pauses();
        event.handles = statistics.handles().entrySet().stream()
                .map(handle -> handle.getKey() + '=' + handle.getValue())
                .collect(Collectors.joining(","));
    }

    private static void histograms(LoopStateEvent event, LoopStatistics statistics) {
        event.turnHistogram = statistics.turns().encoded();
        event.turnMax = statistics.turns().max();
        event.pollHistogram = statistics.polls().encoded();
        event.pollMax = statistics.polls().max();
        event.readyDelayHistogram = statistics.readyDelay().encoded();
        event.readyDelayMax = statistics.readyDelay().max();
        event.wakeDelayHistogram = statistics.wakeDelay().encoded();
        event.wakeDelayMax = statistics.wakeDelay().max();
        event.timerLatenessHistogram = statistics.timerLateness().encoded();
        event.timerLatenessMax = statistics.timerLateness().max();
    }

    private static void times(LoopStateEvent event, LoopStatistics statistics) {
        event.busy = statistics.turns().total();
        event.polled = statistics.polls().total();
        event.overslept = statistics.oversleeps().total();
        event.callTime = statistics.kind(WorkKind.CALL).total();
        event.timerTime = statistics.kind(WorkKind.TIMER).total();
        event.stepTime = statistics.kind(WorkKind.STEP).total();
        event.readTime = statistics.kind(WorkKind.READ).total();
        event.acceptTime = statistics.kind(WorkKind.ACCEPT).total();
        event.requestTime = statistics.kind(WorkKind.REQUEST).total();
        event.pollTime = statistics.kind(WorkKind.POLL).total();
        event.watcherTime = statistics.kind(WorkKind.WATCHER).total();
    }
}
