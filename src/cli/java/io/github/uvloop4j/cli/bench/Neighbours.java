package io.github.uvloop4j.cli.bench;

import io.github.uvloop4j.cli.process.Child;
import io.github.uvloop4j.cli.process.Taskset;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;

/** Noisy neighbours: processes that keep the CPUs of the loops busy, one pinned to each, until they are closed. */
final class Neighbours implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final Deque<Child> children = new ArrayDeque<>();

    private Neighbours() {}

    /**
     * Starts those that a load asks for, and waits until they are busy.
     *
     * @throws IOException if one cannot be started
     */
    static Neighbours of(Cell cell, LoopSettings loops) throws IOException, InterruptedException {
        var neighbours = new Neighbours();
        if (cell.neighbour()) {
            try {
                neighbours.start(cell, loops);
            } catch (IOException | InterruptedException e) {
                neighbours.close();
                throw e;
            }
        }
        return neighbours;
    }

    private void start(Cell cell, LoopSettings loops) throws IOException, InterruptedException {
        for (var cpu : loops.cpus(cell.loops()).stream().toArray()) {
            var command = new ArrayList<>(Taskset.prefix(String.valueOf(cpu)));
            command.addAll(loops.neighbourCommand());
            children.push(Child.start("neighbour on CPU " + cpu, command));
        }
        for (var child : children) {
            if (child.nextLine(START_LIMIT) == null) {
                throw new IOException(child.describeFailure());
            }
        }
    }

    /** Whether all of them still run. */
    boolean areBusy() {
        return children.stream().allMatch(Child::isAlive);
    }

    @Override
    public void close() {
        children.forEach(Child::close);
    }
}
