package io.github.uvloop4j.observe.micrometer;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.observe.export.LoopEnd;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The statistics of a loop, or of all loops of a group, as meters.
 *
 * {@snippet :
 * new LoopMetrics(loop).bindTo(registry);
 * }
 *
 * <p>Meters are named {@code uvloop4j.loop.*} and tagged {@code loop} with the loop's name. All read one snapshot of
 * {@link EventLoop#statistics}, which is taken when the one before is older than a second: for a scrape, however many
 * meters it reads. Histograms are counters, one for each bound, tagged {@code le} as those of Prometheus: they add up
 * over loops and machines, as percentiles do not.
 *
 * <p>The meters of a loop are removed when it is closed, or by {@link #close}. The registry does not keep a loop, and the
 * binder need not be kept. Any thread.
 */
public final class LoopMetrics implements MeterBinder, AutoCloseable {
    private final Tags tags;
    private final List<Source> sources;
    private final Map<Binding, LoopEnd> bindings = new HashMap<>();

    /** A loop, and its snapshots for all registries. */
    private record Source(EventLoop loop, Snapshots snapshots) {
        static Source of(EventLoop loop) {
            return new Source(loop, new Snapshots(loop::statistics, loop::isRunning, System::nanoTime));
        }
    }

    /** Of a loop. */
    public LoopMetrics(EventLoop loop) {
        this(loop, Tags.empty());
    }

    /** Of a loop, with tags of the caller's on each meter. */
    public LoopMetrics(EventLoop loop, Iterable<Tag> tags) {
        this(List.of(loop), Tags.of(tags));
    }

    /** Of each loop of a group. */
    public LoopMetrics(EventLoopGroup group) {
        this(group, Tags.empty());
    }

    /** Of each loop of a group, with tags of the caller's on each meter. */
    public LoopMetrics(EventLoopGroup group, Iterable<Tag> tags) {
        this(group.loops(), Tags.of(tags));
    }

    private LoopMetrics(List<EventLoop> loops, Tags tags) {
        this.tags = tags;
        this.sources = new CopyOnWriteArrayList<>(loops.stream().map(Source::of).toList());
    }

    /**
     * Adds the meters to a registry, unless they are there already; those of loops that are closed are left out.
     *
     * @throws IllegalArgumentException when another loop has the same name and tags there
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        sources.forEach(source -> bind(source, registry));
    }

    private void bind(Source source, MeterRegistry registry) {
        var all = Tags.of("loop", source.loop.options().name()).and(tags);
        var binding = new Binding(registry, all, source.snapshots);
        synchronized (bindings) {
            if (source.loop.isClosed() || bindings.keySet().stream().anyMatch(other -> other.isOf(registry, all))) {
                return;
            }
            binding.bind();
            bindings.put(binding, LoopEnd.of(source.loop, () -> end(source, binding)));
        }
        if (source.loop.isClosed()) {
            end(source, binding);
        }
    }

    private void end(Source source, Binding binding) {
        binding.unbind();
        sources.remove(source);
        synchronized (bindings) {
            bindings.remove(binding);
        }
    }

    /** Removes its meters from all registries. They can be bound again. */
    @Override
    public void close() {
        synchronized (bindings) {
            bindings.forEach((binding, end) -> {
                binding.unbind();
                end.cancel();
            });
            bindings.clear();
        }
    }
}
