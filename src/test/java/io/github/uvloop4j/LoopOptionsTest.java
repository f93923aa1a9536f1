package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.Pinning;
import io.github.uvloop4j.carrier.Schedulers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopOptionsTest {
    private final LoopOptions defaults = LoopOptions.defaults();

    @Test
    void eachChangeIsACopy() {
        assertThat(defaults.name("x").name()).isEqualTo("x");
        assertThat(defaults.debug(!defaults.debug()).debug()).isNotEqualTo(defaults.debug());
        assertThat(defaults.slowCallback(Duration.ofSeconds(3)).slowCallback()).hasSeconds(3);
        assertThat(defaults.tasks(LoopOptions.Tasks.BATON).tasks()).isEqualTo(LoopOptions.Tasks.BATON);
        assertThat(defaults.executor(Runnable::run).executor()).isNotNull();
        assertThat(defaults.fatal(error -> true).fatal()).accepts(new Exception());
        assertThat(defaults.receiveBuffer(4096).receiveBuffer()).isEqualTo(4096);
        assertThat(defaults.closeTimeout(Duration.ofSeconds(3)).closeTimeout()).hasSeconds(3);
        assertThat(LoopOptions.defaults()).isEqualTo(defaults);
    }

    @Test
    void aChangeKeepsTheRest() {
        var changed = defaults.name("x")
                .debug(true)
                .slowCallback(Duration.ofSeconds(3))
                .tasks(LoopOptions.Tasks.BATON)
                .executor(Runnable::run)
                .fatal(error -> true)
                .receiveBuffer(4096)
                .closeTimeout(Duration.ofSeconds(3));
        assertThat(changed.name("y").name("x")).isEqualTo(changed);
        assertThat(changed.debug(false).debug(true)).isEqualTo(changed);
        assertThat(changed.slowCallback(Duration.ZERO).slowCallback(Duration.ofSeconds(3)))
                .isEqualTo(changed);
        assertThat(changed.receiveBuffer(8192).receiveBuffer(4096)).isEqualTo(changed);
        assertThat(changed.closeTimeout(Duration.ZERO).closeTimeout(Duration.ofSeconds(3)))
                .isEqualTo(changed);
    }

    @Test
    void cpusToPinToAreRequired() {
        var cpus = CpuSet.of(1, 3);
        assertThat(defaults.pinning()).isEqualTo(Pinning.NONE);
        assertThat(defaults.pin(cpus).pinning()).isEqualTo(Pinning.to(cpus));
        assertThat(defaults.pin(cpus).pinning().required()).isTrue();
        assertThat(defaults.pin(Pinning.to(cpus).optional()).name("x").pinning().required())
                .isFalse();
        assertThat(defaults.pin(cpus).pin(CpuSet.empty())).isEqualTo(defaults);
    }

    @Test
    void byDefaultNothingIsFatal() {
        assertThat(defaults.fatal()).rejects(new Exception(), new OutOfMemoryError(), new StackOverflowError());
    }

    @Test
    void rangesAreChecked() {
        assertThatThrownBy(() -> defaults.receiveBuffer(4095)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> defaults.receiveBuffer((16 << 20) + 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> defaults.slowCallback(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> defaults.closeTimeout(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> defaults.name(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> defaults.tasks(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> defaults.fatal(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void aLoopHasItsOptions() {
        var options = defaults.name("mine");
        try (var loop = EventLoop.create(options)) {
            assertThat(loop.options()).isEqualTo(options);
            assertThat(loop).asString().contains("mine");
        }
    }

    @Test
    void tasksCanBePutOnTheBaton() throws Exception {
        try (var loop = EventLoop.create(defaults.tasks(LoopOptions.Tasks.BATON))) {
            assertThat(loop.tasksRideOnLoop()).isFalse();
            assertThat(loop.run(() -> loop.runInExecutor(() -> "x").await())).isEqualTo("x");
        }
    }

    @Test
    void tasksRideOnTheLoopWhereTheJvmAllowsIt() {
        assertThat(Schedulers.available()).as(Schedulers.reason()).isTrue();
        try (var loop = EventLoop.create(defaults.tasks(LoopOptions.Tasks.CARRIER))) {
            assertThat(loop.tasksRideOnLoop()).isTrue();
        }
    }

    @Test
    void endlessDurationsAreAccepted() throws Exception {
        var endless = Duration.ofSeconds(Long.MAX_VALUE);
        try (var loop =
                EventLoop.create(defaults.debug(true).slowCallback(endless).closeTimeout(endless))) {
            loop.spawn(() -> loop.createFuture().await());
            assertThat(loop.<Integer>run(() -> 1)).isEqualTo(1);
        }
    }
}
