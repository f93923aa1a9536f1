package io.github.uvloop4j.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.SettingDescriptor;
import jdk.jfr.ValueDescriptor;
import org.junit.jupiter.api.Test;

/** The guide and the events agree. */
class JfrGuideTest {
    private static final Set<String> RECORDERS_OWN = Set.of("startTime", "duration", "eventThread", "stackTrace");

    private static String guide() throws IOException {
        var page = Files.readString(Path.of(System.getProperty("basedir", ""), "docs", "observing.md"));
        return page.substring(page.indexOf("## Flight recorder"), page.indexOf("## Debug mode"));
    }

    private static Set<EventType> types() {
        FlightRecording.observers();
        return FlightRecorder.getFlightRecorder().getEventTypes().stream()
                .filter(type -> type.getName().startsWith("uvloop4j."))
                .collect(Collectors.toSet());
    }

    @Test
    void everyEventAndItsFieldsAreInTheGuide() throws IOException {
        var guide = guide();
        var missing = new TreeSet<String>();
        for (var type : types()) {
            var row = guide.lines()
                    .filter(line -> line.startsWith("|") && line.contains('`' + type.getName() + '`'))
                    .findFirst()
                    .orElse("");
            var text = type.getName().equals("uvloop4j.Loop") ? guide : row + " `loop` `loopId`";
            for (var field : type.getFields()) {
                if (!RECORDERS_OWN.contains(field.getName()) && !text.contains('`' + field.getName() + '`')) {
                    missing.add(type.getName() + '.' + field.getName());
                }
            }
        }
        assertThat(types()).hasSize(13);
        assertThat(missing).isEmpty();
    }

    @Test
    void everyEventSaysWhatItIs() {
        assertThat(types()).allSatisfy(type -> {
            assertThat(type.getLabel()).isNotBlank();
            assertThat(type.getDescription()).isNotBlank();
            assertThat(type.getCategoryNames()).containsExactly("uvloop4j");
            assertThat(type.getFields()).extracting(ValueDescriptor::getName).contains("loop", "loopId");
            assertThat(type.getFields()).extracting(ValueDescriptor::getLabel).doesNotContainNull();
            assertThat(type.getSettingDescriptors())
                    .filteredOn(setting -> setting.getName().equals("stackTrace"))
                    .extracting(SettingDescriptor::getDefaultValue)
                    .isSubsetOf("false");
        });
    }
}
