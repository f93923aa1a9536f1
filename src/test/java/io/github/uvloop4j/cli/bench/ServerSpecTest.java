package io.github.uvloop4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.cli.process.KeyPairFiles;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSpecTest {
    private static final Places.Place PLACE = new Places.Place("127.0.0.1:0", null);

    @Test
    void fillsInTheAddress() {
        assertThat(ServerSpec.parse("c=./server -a={addr} 'one word'"))
                .isEqualTo(new ServerSpec("c", List.of("./server", "-a={addr}", "one word")));
    }

    @Test
    void appendsTheAddress() {
        assertThat(ServerSpec.parse("c=server \"\" x=y").command())
                .containsExactly("server", "", "x=y", "--addr", "{addr}");
    }

    @Test
    void tellsServersAddressAndKeys() {
        var place = new Places.Place("unix:/run/1", new KeyPairFiles(Path.of("/keys")));
        var spec = ServerSpec.parse("c=server --addr {addr} -c{cert} -k={key}");

        assertThat(spec.command(new Cell(1, 1, 1), LoopSettings.NONE, place))
                .containsExactly("server", "--addr", "unix:/run/1", "-c/keys/cert.pem", "-k=/keys/key.pem");
    }

    @Test
    void tellsServersTheirLoops() {
        var spec = new ServerSpec("a", List.of("server"));
        var loops = new LoopSettings(CpuSet.parse("3,5-7"), List.of());

        assertThat(spec.command(new Cell(1, 1, 1), loops, PLACE)).containsExactly("server");
        assertThat(spec.command(new Cell(1, 1, 1, 2, false), loops, PLACE)).containsExactly("server", "--loops=2");
        assertThat(spec.pinned().command(new Cell(1, 1, 1, 2, true), loops, PLACE))
                .containsExactly("server", "--loops=2", "--pin=3,5");
        assertThat(spec.pinned().name()).isEqualTo("a-pinned");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "c", "=server", "c=", "c= ", "c='server"})
    void refusesAnythingElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ServerSpec.parse(text));
    }
}
