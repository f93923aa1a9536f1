package io.github.uvloop4j.examples.dns;

import static java.net.StandardProtocolFamily.INET;
import static java.net.StandardProtocolFamily.INET6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.examples.dns.NameServer.Answer;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stub resolver with name servers that do what they should, and what they should not. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class StubResolverTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(50);

    private static List<String> lookUp(EventLoop loop, StubResolver resolver, String host, ProtocolFamily family)
            throws Exception {
        return loop.run(() -> resolver.lookUp(host, family).stream()
                .map(InetAddress::getHostAddress)
                .toList());
    }

    private static StubResolver patient(NameServer... servers) {
        var addresses = new ArrayList<InetSocketAddress>();
        for (var server : servers) {
            addresses.add(server.address());
        }
        return new StubResolver(addresses, LONG, 1);
    }

    private static boolean asksForIpv6(byte[] question) {
        return question[question.length - 3] == DnsMessage.AAAA;
    }

    private static List<byte[]> both(byte[] question) throws IOException {
        return List.of(new Answer(question)
                .address(asksForIpv6(question) ? "2001:db8::1" : "192.0.2.1")
                .bytes());
    }

    @Test
    @Tag("cells")
    void findsAddressesOfEitherFamily(EventLoop loop) throws Exception {
        try (var server = new NameServer((question, number, tcp) -> both(question))) {
            var resolver = patient(server);
            assertThat(lookUp(loop, resolver, "some.test", INET)).containsExactly("192.0.2.1");
            assertThat(lookUp(loop, resolver, "some.test", INET6)).containsExactly("2001:db8:0:0:0:0:0:1");
            assertThat(lookUp(loop, resolver, "Some.Test.", null)).containsExactly("2001:db8:0:0:0:0:0:1", "192.0.2.1");
        }
    }

    @Test
    void followsAliasesAndIgnoresOtherNames(EventLoop loop) throws Exception {
        try (var server = new NameServer((question, number, tcp) -> List.of(new Answer(question)
                .address("other.test", "192.0.2.66")
                .address("REAL.test", "192.0.2.2")
                .alias("real.test")
                .address("real.test", "192.0.2.3")
                .bytes()))) {
            assertThat(lookUp(loop, patient(server), "alias.test", INET)).containsExactly("192.0.2.2", "192.0.2.3");
        }
    }

    @Test
    void asksOverTcpForWhatIsTooLong(EventLoop loop) throws Exception {
        try (var server = new NameServer((question, number, tcp) -> {
            var answer = new Answer(question);
            if (!tcp) {
                return List.of(answer.truncated().bytes());
            }
            for (int i = 0; i < 200; i++) {
                answer.address("192.0.2." + i);
            }
            return List.of(answer.bytes());
        })) {
            assertThat(lookUp(loop, patient(server), "long.test", INET)).hasSize(200);
            assertThat(server.questions()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"garbage", "cut", "id", "name", "type", "question"})
    void whatDoesNotAnswerTheQuestionIsPassedOver(String kind, EventLoop loop) throws Exception {
        try (var server = new NameServer((question, number, tcp) -> {
            var wrong = new Answer(question).address("192.0.2.66").bytes();
            switch (kind) {
                case "garbage" -> wrong = new byte[] {1, 2, 3};
                case "cut" -> wrong = Arrays.copyOf(wrong, wrong.length - 1);
                case "id" -> wrong[1]++;
                case "name" -> wrong[13]++;
                case "type" -> wrong[question.length - 3]++;
                default -> wrong = question;
            }
            return List.of(wrong, new Answer(question).address("192.0.2.1").bytes());
        })) {
            assertThat(lookUp(loop, patient(server), "some.test", INET)).containsExactly("192.0.2.1");
        }
    }

    @Test
    void anAnswerFromElsewhereIsPassedOver(EventLoop loop) throws Exception {
        try (var elsewhere = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
                var spied = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            // It sees the question, and lets another socket answer before it does so itself.
            var serving = Thread.ofPlatform().daemon().start(() -> {
                try {
                    var packet = new DatagramPacket(new byte[512], 512);
                    spied.receive(packet);
                    var question = Arrays.copyOf(packet.getData(), packet.getLength());
                    var forged = new Answer(question).address("192.0.2.66").bytes();
                    elsewhere.send(new DatagramPacket(forged, forged.length, packet.getSocketAddress()));
                    var answer = new Answer(question).address("192.0.2.1").bytes();
                    spied.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            var address = new InetSocketAddress("127.0.0.1", spied.getLocalPort());
            var resolver = new StubResolver(List.of(address), LONG, 1);
            assertThat(lookUp(loop, resolver, "some.test", INET)).containsExactly("192.0.2.1");
            serving.join();
        }
    }

    @Test
    void aQuestionThatIsLostIsAskedAgain(EventLoop loop) throws Exception {
        try (var server = new NameServer((question, number, tcp) -> number < 3 ? List.of() : both(question))) {
            var resolver = new StubResolver(List.of(server.address()), SHORT, 10);
            assertThat(lookUp(loop, resolver, "some.test", INET)).containsExactly("192.0.2.1");
            assertThat(server.questions()).isEqualTo(3);
        }
    }

    @Test
    void theNextServerIsAskedWhereOneFailsOrIsNotThere(EventLoop loop) throws Exception {
        InetSocketAddress nobody;
        try (var gone = new NameServer((question, number, tcp) -> List.of())) {
            nobody = gone.address();
        }
        try (var failing = new NameServer((question, number, tcp) ->
                        List.of(new Answer(question).code(2).bytes()));
                var server = new NameServer((question, number, tcp) -> both(question))) {
            var resolver = new StubResolver(List.of(failing.address(), nobody, server.address()), LONG, 1);
            assertThat(lookUp(loop, resolver, "some.test", INET)).containsExactly("192.0.2.1");
            assertThat(failing.questions()).isEqualTo(1);
        }
    }

    @Test
    void oneFamilyIsEnoughWhereTheOtherFails(EventLoop loop) throws Exception {
        try (var server = new NameServer((question, number, tcp) -> question[question.length - 3] == DnsMessage.AAAA
                ? List.of(new Answer(question).code(2).bytes())
                : both(question))) {
            var resolver = new StubResolver(List.of(server.address()), LONG, 1);
            assertThat(lookUp(loop, resolver, "some.test", null)).containsExactly("192.0.2.1");
        }
    }

    @Test
    void aNameThatDoesNotExistIsFinal(EventLoop loop) throws Exception {
        try (var server = new NameServer((question, number, tcp) ->
                        List.of(new Answer(question).code(3).bytes()));
                var other = new NameServer((question, number, tcp) -> both(question))) {
            assertThatThrownBy(() -> lookUp(loop, patient(server, other), "no.test", INET))
                    .isInstanceOf(UnknownHostException.class)
                    .hasMessage("no.test");
            assertThat(other.questions()).isZero();
        }
    }

    @Test
    void silenceEndsWithAClearError(EventLoop loop) throws Exception {
        try (var server = new NameServer((question, number, tcp) -> List.of())) {
            var resolver = new StubResolver(List.of(server.address()), SHORT, 2);
            assertThatThrownBy(() -> lookUp(loop, resolver, "some.test", INET))
                    .isInstanceOf(UnknownHostException.class)
                    .hasMessage("no server answers for some.test");
            assertThat(server.questions()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "a..b", ".a", "a123456789b123456789c123456789d123456789e123456789f123456789g123.test"})
    void whatIsNoNameIsNotAsked(String name, EventLoop loop) throws Exception {
        try (var server = new NameServer((question, number, tcp) -> both(question))) {
            assertThatThrownBy(() -> lookUp(loop, patient(server), name, INET))
                    .isInstanceOf(UnknownHostException.class);
            assertThat(server.questions()).isZero();
        }
    }

    @Test
    void aLoopConnectsByNamesThatItFinds() throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        try (var server = new NameServer((question, number, tcp) -> List.of(
                asksForIpv6(question)
                        ? new Answer(question).bytes()
                        : new Answer(question).address("127.0.0.1").bytes()))) {
            var options = LoopOptions.defaults().resolver(patient(server));
            try (var loop = EventLoop.create(options)) {
                loop.run(() -> {
                    try (var connection = loop.net().openConnection("peer.test", peer.port())) {
                        connection.write("x");
                    }
                });
            }
            assertThat(peer.result().join()).isEqualTo('x');
        }
    }

    @Test
    void aLookUpThatIsCancelledEnds(EventLoop loop) throws Exception {
        try (var server = new NameServer((question, number, tcp) -> List.of())) {
            loop.run(() -> {
                var resolver = patient(server);
                var stage = resolver.resolve("some.test", INET).toCompletableFuture();
                stage.cancel(true);
                assertThatThrownBy(stage::join).isInstanceOf(CancellationException.class);
            });
            // The loop of the test fails for tasks and sockets that are left.
        }
    }
}
