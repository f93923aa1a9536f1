package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelVersionTest {
    @ParameterizedTest
    @CsvSource({"6.1.0-18-amd64, 6.1", "5.15-rc1, 5.15", "6.18.44-fc, 6.18", "4.4, 4.4", "10.0+, 10.0"})
    void readsWhatComesFirst(String release, String version) {
        assertThat(KernelVersion.parse(release)).hasToString(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6", "6.", "x6.1", "6.x", ".1", "6.9999999"})
    void anythingElseIsRefused(String release) {
        assertThatThrownBy(() -> KernelVersion.parse(release)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void versionsAreCompared() {
        var version = KernelVersion.parse("6.2.1");
        assertThat(version.isAtLeast(6, 2)).isTrue();
        assertThat(version.isAtLeast(5, 19)).isTrue();
        assertThat(version.isAtLeast(6, 3)).isFalse();
        assertThat(version.isAtLeast(7, 0)).isFalse();
        assertThat(version).isEqualByComparingTo(new KernelVersion(6, 2)).isLessThan(new KernelVersion(6, 10));
    }

    @Test
    void thisKernelIsOneThatRunsThisJvm() {
        assertThat(KernelVersion.current().isAtLeast(3, 0)).isTrue();
    }
}
