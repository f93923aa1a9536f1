package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.Pinning;
import io.github.uvloop4j.carrier.Schedulers;
import io.github.uvloop4j.observe.LoopObserver;
import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.util.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class LoopOptionsTest {
    private static final ScopedValue<String> VALUE = ScopedValue.newInstance();
    private static final LoopObserver OBSERVER = new LoopObserver() {};

    private final LoopOptions defaults = LoopOptions.defaults();

    private static LoopOptions with(Map<String, String> properties, Map<String, String> environment) {
        return LoopOptions.defaults(new Settings(properties::get, environment::get));
    }

    @Test
    void withoutSettingsDefaultsApply() {
        var options = with(Map.of(), Map.of());
        assertThat(options.debug()).isFalse();
        assertThat(options.metrics()).isTrue();
        assertThat(options.stallLimit()).hasMillis(100);
        assertThat(options.tasks()).isEqualTo(LoopOptions.Tasks.AUTO);
    }

    @Test
    void propertiesSetDefaults() {
        var options = with(
                Map.of(
                        "uvloop4j.debug", "true",
                        "uvloop4j.metrics", "false",
                        "uvloop4j.stallMillis", "7",
                        "uvloop4j.tasks", "baton"),
                Map.of());
        assertThat(options.debug()).isTrue();
        assertThat(options.metrics()).isFalse();
        assertThat(options.stallLimit()).hasMillis(7);
        assertThat(options.tasks()).isEqualTo(LoopOptions.Tasks.BATON);
    }

    @Test
    void soDoVariablesOfTheEnvironment() {
        var options = with(
                Map.of(),
                Map.of(
                        "UVLOOP4J_DEBUG", "1",
                        "UVLOOP4J_METRICS", "0",
                        "UVLOOP4J_STALL_MILLIS", "0",
                        "UVLOOP4J_TASKS", "Carrier"));
        assertThat(options.debug()).isTrue();
        assertThat(options.metrics()).isFalse();
        assertThat(options.stallLimit()).isZero();
        assertThat(options.tasks()).isEqualTo(LoopOptions.Tasks.CARRIER);
    }

    @Test
    void aPropertyGoesBeforeAVariable() {
        var variable = Map.of("UVLOOP4J_DEBUG", "true");
        assertThat(with(Map.of("uvloop4j.debug", "false"), variable).debug()).isFalse();
        assertThat(with(Map.of("uvloop4j.debug", " "), variable).debug()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "uvloop4j.debug, yes, neither true",
        "uvloop4j.metrics, 2, neither true",
        "uvloop4j.stallMillis, soon, not a whole number",
        "uvloop4j.stallMillis, -1, negative",
        "uvloop4j.tasks, threads, neither auto"
    })
    void aSettingThatCannotBeReadIsNamedWithItsValueAndOrigin(String property, String value, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(Map.of(property, value), Map.of()))
                .withMessageContainingAll("property " + property + " is " + value, why);
        var variable = Settings.variable(property);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(Map.of(), Map.of(variable, value)))
                .withMessageContainingAll("environment variable " + variable + " is " + value, why);
    }

    static final class Main {
        private Main() {}

        public static void main(String[] arguments) {
            for (int i = 0; i < 2; i++) {
                try (var loop = EventLoop.create()) {
                    System.out.println("debug " + loop.isDebug());
                } catch (IllegalArgumentException e) {
                    System.out.println(e.getMessage());
                    System.setProperty("uvloop4j.debug", "false");
                }
            }
        }
    }

    @Test
    void aBadSettingOfTheJvmIsToldAndLeavesTheClassUsable() throws Exception {
        var result = new ChildJvm().flag("-Duvloop4j.debug=maybe").run(Main.class);
        assertThat(result.output().lines())
                .containsSubsequence("property uvloop4j.debug is maybe: neither true (1) nor false (0)", "debug false");
    }

    @Test
    void theJvmsEnvironmentIsRead() throws Exception {
        var result = new ChildJvm()
                .flag("-Duvloop4j.debug=")
                .environment("UVLOOP4J_DEBUG", "1")
                .run(Main.class);
        assertThat(result.output().lines()).contains("debug true");
    }

    @Test
    void eachChangeIsACopy() {
        assertThat(defaults.name("x").name()).isEqualTo("x");
        assertThat(defaults.debug(!defaults.debug()).debug()).isNotEqualTo(defaults.debug());
        assertThat(defaults.cancelGrace(Duration.ofSeconds(3)).cancelGrace()).hasSeconds(3);
        assertThat(defaults.metrics(!defaults.metrics()).metrics()).isNotEqualTo(defaults.metrics());
        assertThat(defaults.stallLimit(Duration.ofSeconds(3)).stallLimit()).hasSeconds(3);
        assertThat(defaults.propagate(VALUE).propagate()).containsExactly(VALUE);
        assertThat(defaults.observe(OBSERVER).observers()).containsExactly(OBSERVER);
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
                .cancelGrace(Duration.ofSeconds(3))
                .metrics(false)
                .stallLimit(Duration.ofSeconds(3))
                .propagate(VALUE)
                .observe(OBSERVER)
                .tasks(LoopOptions.Tasks.BATON)
                .executor(Runnable::run)
                .fatal(error -> true)
                .receiveBuffer(4096)
                .closeTimeout(Duration.ofSeconds(3));
        assertThat(changed.name("y").name("x")).isEqualTo(changed);
        assertThat(changed.debug(false).debug(true)).isEqualTo(changed);
        assertThat(changed.cancelGrace(Duration.ZERO).cancelGrace(Duration.ofSeconds(3)))
                .isEqualTo(changed);
        assertThat(changed.metrics(true).metrics(false)).isEqualTo(changed);
        assertThat(changed.stallLimit(Duration.ZERO).stallLimit(Duration.ofSeconds(3)))
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
        assertThatThrownBy(() -> defaults.stallLimit(Duration.ofNanos(-1)))
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
                EventLoop.create(defaults.debug(true).stallLimit(endless).closeTimeout(endless))) {
            loop.spawn(() -> loop.createFuture().await());
            assertThat(loop.<Integer>run(() -> 1)).isEqualTo(1);
        }
    }
}
