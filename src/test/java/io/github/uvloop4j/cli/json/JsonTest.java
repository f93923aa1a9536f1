package io.github.uvloop4j.cli.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void writesOneLine() {
        var map = new LinkedHashMap<String, Object>();
        map.put("text", "a\"b\\c\n\u0001µ");
        map.put("number", 12L);
        map.put("fraction", 0.12345);
        map.put("none", Double.NaN);
        map.put("list", Arrays.asList(true, null, List.of()));

        assertThat(JsonWriter.line(map))
                .isEqualTo("{\"text\":\"a\\\"b\\\\c\\n\\u0001µ\",\"number\":12,\"fraction\":0.1235,\"none\":null,"
                        + "\"list\":[true,null,[]]}");
    }

    @Test
    void prettyReadsBackTheSame() {
        var map = new LinkedHashMap<String, Object>();
        map.put("runs", List.of(new LinkedHashMap<>(Map.of("rate", 2.5, "name", "x"))));
        map.put("empty", List.of());

        assertThat(JsonReader.object(JsonWriter.pretty(map))).isEqualTo(map);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{}}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{\"a\":1 \"b\":2}",
                "{\"a\":\"\\x\"}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1e}",
                "{\"a\":tru}",
                "{\"a\":\"\\u12"
            })
    void refusesWhatIsNotOneObject(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> JsonReader.object(text));
    }

    @Test
    void readsEscapes() {
        assertThat(JsonReader.object("{\"a\": \"\\u00b5\\n\\/\", \"b\": [-1.5e2, false]}"))
                .containsEntry("a", "µ\n/")
                .containsEntry("b", List.of(-150.0, false));
    }
}
