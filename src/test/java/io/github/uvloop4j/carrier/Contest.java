package io.github.uvloop4j.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.Until;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Parties that want one lock: the first holds it until each of the others, one after the other, waits for it. */
final class Contest {
    /** Who wants the lock. */
    enum Role {
        CALLBACK,
        TASK,
        FOREIGN
    }

    /** A role, on a loop by its number. */
    record Party(Role role, int loop) {}

    /** How the first one is told that all wait. */
    enum Signal {
        /** By a call of the JDK. */
        LATCH,
        /** By the loop's future, which another thread completes. */
        FUTURE
    }

    private final Contended.Lock lock;
    private final Signal signal;
    private final List<RunningLoop> loops = new ArrayList<>();
    private final List<Entrant> entrants = new ArrayList<>();
    private final List<Party> got = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch ended;
    private final LoopFuture<Boolean> goFuture;

    private Contest(Contended.Lock lock, List<Party> order, Signal signal) throws Exception {
        this.lock = lock;
        this.signal = signal;
        int count = order.stream().mapToInt(Party::loop).max().orElseThrow() + 1;
        for (int i = 0; i < count; i++) {
            loops.add(RunningLoop.onCarrier());
        }
        goFuture = loops.get(order.getFirst().loop()).loop().createFuture();
        ended = new CountDownLatch(order.size());
        for (var party : order) {
            entrants.add(new Entrant(party));
        }
    }

    private final class Entrant {
        private final Party party;
        private final CountDownLatch begin = new CountDownLatch(1);
        private volatile Thread thread;

        Entrant(Party party) throws Exception {
            this.party = party;
            // A task cannot be spawned any more when a callback blocks its loop.
            if (party.role == Role.TASK) {
                var task = loops.get(party.loop).spawn(() -> {
                    begin.await();
                    takePart();
                    return true;
                });
                Until.holds("the task is ready", () -> Until.waits(task.thread()));
            }
        }

        void start() {
            switch (party.role) {
                case CALLBACK -> loops.get(party.loop).loop().post(this::takePart);
                case TASK -> begin.countDown();
                case FOREIGN -> Thread.ofPlatform().daemon().start(this::takePart);
            }
        }

        private void takePart() {
            thread = Thread.currentThread();
            lock.hold(() -> {
                got.add(party);
                if (this == entrants.getFirst()) {
                    held.countDown();
                    awaitGo();
                }
            });
            ended.countDown();
        }

        private void awaitGo() {
            try {
                if (signal == Signal.FUTURE) {
                    goFuture.await();
                } else {
                    go.await();
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        boolean waits() {
            return thread != null && Until.waits(thread);
        }
    }

    /** Returns when all had the lock; fails when they had not within the limit. */
    static void run(Contended kind, List<Party> order, Signal signal) {
        try {
            new Contest(kind.create(), order, signal).run(kind + " " + signal + " " + order);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void run(String name) throws Exception {
        for (var entrant : entrants) {
            entrant.start();
            if (entrant == entrants.getFirst()) {
                assertThat(held.await(30, TimeUnit.SECONDS)).as(name).isTrue();
            } else {
                Until.holds(entrant.party + " waits: " + name, entrant::waits);
            }
        }
        go.countDown();
        goFuture.complete(true);
        assertThat(ended.await(30, TimeUnit.SECONDS))
                .as(name + ", had it: " + got)
                .isTrue();
        assertThat(got)
                .as(name)
                .containsExactlyInAnyOrderElementsOf(
                        entrants.stream().map(entrant -> entrant.party).toList());
        loops.forEach(RunningLoop::close);
    }

    /** Runs contests at the same time, as each takes a while in which nothing happens. */
    static void all(List<Runnable> contests) {
        CompletableFuture.allOf(contests.stream()
                        .map(contest -> CompletableFuture.runAsync(
                                contest, body -> Thread.ofPlatform().daemon().start(body)))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /** All orders of some parties. */
    static List<List<Party>> orders(List<Party> parties) {
        if (parties.isEmpty()) {
            return List.of(List.of());
        }
        var all = new ArrayList<List<Party>>();
        for (int i = 0; i < parties.size(); i++) {
            var rest = new ArrayList<>(parties);
            var first = rest.remove(i);
            for (var order : orders(rest)) {
                var whole = new ArrayList<Party>();
                whole.add(first);
                whole.addAll(order);
                all.add(whole);
            }
        }
        return all.stream().distinct().toList();
    }
}
