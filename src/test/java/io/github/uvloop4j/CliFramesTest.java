package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.cli.observe.Frames;
import java.util.List;
import org.junit.jupiter.api.Test;

class CliFramesTest {
    /** Those of {@code cli} hold no code of a library, and its tests are programs like any other. */
    private static final List<String> NO_LIBRARY = List.of("cli", PackageTable.ROOT);

    @Test
    void theDoctorKnowsAllPackagesOfTheLibrary() {
        assertThat(PackageTable.ROWS.keySet().stream().filter(name -> !NO_LIBRARY.contains(name)))
                .isNotEmpty()
                .noneMatch(name -> Frames.isOfProgram(PackageTable.BASE + '.' + name + ".Some.method(Some.java:1)"));
    }
}
