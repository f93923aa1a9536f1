package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.ChildJvm;
import java.io.IOException;
import java.net.SocketException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writing to a peer that is gone is an exception and not the end of the process. In a JVM of its own. */
@Timeout(90)
class BrokenPipeTest {
    @ParameterizedTest
    @ValueSource(strings = {"-Xshare:auto", "-Xrs"})
    void theProcessLives(String flag) throws Exception {
        var result = new ChildJvm().flag(flag).run(Main.class);
        assertThat(result.output()).contains("written to nobody: broken");
        assertThat(result.exitCode()).isZero();
    }

    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws Exception {
            EventLoop.run(loop -> {
                var listener = loop.net().listen("127.0.0.1", 0);
                var client = loop.net().openConnection("127.0.0.1", listener.port());
                listener.accept().reset();
                System.out.println("written to nobody: " + write(loop, client));
                client.close();
                listener.close();
            });
        }

        private static String write(EventLoop loop, Connection client) throws Exception {
            for (int i = 0; i < 1_000; i++) {
                try {
                    client.write(new byte[10]);
                } catch (SocketException e) {
                    return "broken";
                } catch (IOException e) {
                    return "another error: " + e;
                }
                Recorder.turns(loop, 1);
            }
            return "no error";
        }
    }
}
