package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that runs out of descriptors. In a JVM of its own, under a hard limit: the JVM raises the soft one. */
@Timeout(90)
class DescriptorLimitTest {
    private final ArrayList<Socket> held = new ArrayList<>();
    private final ArrayList<String> reports = new ArrayList<>();

    @AfterEach
    void closeClients() throws Exception {
        for (var socket : held) {
            socket.close();
        }
    }

    private Socket connect(int port) throws Exception {
        var socket = new Socket();
        held.add(socket);
        socket.setSoTimeout(10_000);
        socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 10_000);
        return socket;
    }

    /** Whether the server echoes a line; false when it closed the connection or does not answer in a while. */
    private static boolean answers(Socket socket, int millis) throws Exception {
        socket.setSoTimeout(millis);
        try {
            socket.getOutputStream().write("ping\n".getBytes(StandardCharsets.UTF_8));
            return socket.getInputStream().readNBytes(5).length == 5;
        } catch (SocketTimeoutException silent) {
            return false;
        } catch (java.net.SocketException gone) {
            return false;
        }
    }

    @Test
    void openConnectionsAreServedOnAndAcceptingRecovers() throws Exception {
        for (boolean tasks : new boolean[] {false, true}) {
            reports.clear();
            var server = new ChildJvm().limitDescriptors(128).start(LimitedServer.class, tasks ? "tasks" : "protocol");
            try (var out = server.inputReader(StandardCharsets.UTF_8)) {
                var in = server.outputWriter(StandardCharsets.UTF_8);
                int port = number(out, "port ");
                var first = connect(port);
                assertThat(answers(first, 10_000)).isTrue();
                int served = 1;
                for (int i = 0; i < 200; i++) {
                    var socket = connect(port);
                    if (served == i + 1 && answers(socket, 500)) {
                        served++;
                    }
                }
                assertThat(served).as("the limit was reached").isBetween(20, 127);
                assertThat(answers(first, 10_000))
                        .as("an open client is served on")
                        .isTrue();
                in.write("quiet now\n");
                in.flush();
                assertThat(number(out, "polls "))
                        .as("polls while nobody does anything")
                        .isLessThan(50);
                for (var socket : held) {
                    socket.close();
                }
                held.clear();
                assertThat(recovers(port)).as("accepting goes on").isTrue();
                in.close();
                assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(server.exitValue()).isZero();
                out.lines().filter(line -> line.startsWith("reported: ")).forEach(reports::add);
                assertThat(reports).containsExactly("reported: accepting failed, and is tried again");
            } finally {
                server.destroyForcibly();
            }
        }
    }

    /** The number in the next line that begins with a word; debug mode prints lines of its own. */
    private int number(BufferedReader out, String word) throws Exception {
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(word)) {
                return Integer.parseInt(line.substring(word.length()));
            }
            if (line.startsWith("reported: ")) {
                reports.add(line);
            }
        }
        throw new AssertionError("the server ended: " + reports);
    }

    private boolean recovers(int port) throws Exception {
        for (int i = 0; i < 40; i++) {
            if (answers(connect(port), 500)) {
                return true;
            }
        }
        return false;
    }
}
