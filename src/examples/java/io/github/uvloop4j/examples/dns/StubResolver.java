package io.github.uvloop4j.examples.dns;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Timeout;
import io.github.uvloop4j.dns.Resolver;
import io.github.uvloop4j.net.DatagramOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/**
 * Asks name servers itself: over UDP, over TCP for answers that are too long, one server after the other, each for a
 * while, several rounds. An answer counts if it comes from the server that was asked, to the port that has asked, with the
 * number and the name of the question: both port and number are random. Can be the resolver of loops.
 */
public final class StubResolver implements Resolver {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final List<InetSocketAddress> servers;
    private final Duration patience;
    private final int rounds;

    /**
     * A client of some servers.
     *
     * @param patience how long a server is waited for in the first round; in each further one twice as long
     * @param rounds how often each server is asked, at least 1
     */
    public StubResolver(List<InetSocketAddress> servers, Duration patience, int rounds) {
        if (servers.isEmpty() || rounds < 1) {
            throw new IllegalArgumentException("nobody to ask, or never");
        }
        this.servers = List.copyOf(servers);
        this.patience = patience;
        this.rounds = rounds;
    }

    @Override
    public CompletionStage<List<InetAddress>> resolve(String host, ProtocolFamily family) {
        var asking = EventLoop.current().spawn("dns " + host, () -> lookUp(host, family));
        var answer = asking.toCompletableFuture();
        answer.whenComplete((addresses, failure) -> {
            if (answer.isCancelled()) {
                asking.cancel();
            }
        });
        return answer;
    }

    /** The addresses of one family, or of both for null; in a task. Fails with UnknownHostException without any. */
    public List<InetAddress> lookUp(String host, ProtocolFamily family) throws Exception {
        var loop = EventLoop.current();
        var name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        var asking = new ArrayList<LoopFuture<List<InetAddress>>>();
        if (family != StandardProtocolFamily.INET) {
            asking.add(loop.spawn(() -> ask(name, DnsMessage.AAAA)));
        }
        if (family != StandardProtocolFamily.INET6) {
            asking.add(loop.spawn(() -> ask(name, DnsMessage.A)));
        }
        var all = new ArrayList<InetAddress>();
        UnknownHostException failure = null;
        try {
            for (var answer : asking) {
                try {
                    all.addAll(answer.await());
                } catch (UnknownHostException none) {
                    failure = none; // the other family may have some all the same
                }
            }
        } finally {
            asking.forEach(LoopFuture::cancel);
        }
        if (all.isEmpty()) {
            throw failure != null ? failure : new UnknownHostException(host + " has no address");
        }
        return all;
    }

    private List<InetAddress> ask(String host, int type) throws Exception {
        var unknown = new UnknownHostException("no server answers for " + host);
        for (int round = 0; round < rounds; round++) {
            for (var server : servers) {
                try {
                    var limit = Timeout.after(patience.multipliedBy(1L << round));
                    return use(host, limit.call(scope -> ask(server, host, type)));
                } catch (UnknownHostException known) {
                    throw known;
                } catch (IOException | TimeoutException bad) {
                    unknown.addSuppressed(bad);
                }
            }
        }
        throw unknown;
    }

    private static List<InetAddress> use(String host, DnsMessage answer) throws IOException {
        return switch (answer.code()) {
            case 0 -> answer.addresses();
            case DnsMessage.NO_SUCH_NAME -> throw new UnknownHostException(host);
            default -> throw new DnsException("the server says " + answer.code());
        };
    }

    private static DnsMessage ask(InetSocketAddress server, String host, int type) throws IOException {
        int id = RANDOM.nextInt(1 << 16);
        var question = DnsMessage.question(id, host, type);
        // Connected, so that the kernel drops what others send, and tells when nobody is there.
        var options = DatagramOptions.connected(server.getAddress().getHostAddress(), server.getPort());
        try (var endpoint = EventLoop.current().net().openDatagramEndpoint(options)) {
            endpoint.sendTo(question.duplicate());
            while (true) {
                var answer = parsed(endpoint.receive().data());
                if (answer != null && answer.answers(id, host, type)) {
                    return answer.isTruncated() ? askAtLength(server, question, id, host, type) : answer;
                }
            }
        }
    }

    /** Null for garbage: the answer may still come. */
    private static DnsMessage parsed(ByteBuffer data) {
        try {
            return DnsMessage.parse(data);
        } catch (DnsException garbage) {
            return null;
        }
    }

    private static DnsMessage askAtLength(InetSocketAddress server, ByteBuffer question, int id, String host, int type)
            throws IOException {
        try (var connection = EventLoop.current().net().openConnection(server)) {
            var length = ByteBuffer.allocate(2)
                    .putShort((short) question.remaining())
                    .flip();
            connection.writeLines(List.of(length, question));
            int size = ByteBuffer.wrap(connection.readExactly(2)).getShort() & 0xffff;
            var answer = DnsMessage.parse(ByteBuffer.wrap(connection.readExactly(size)));
            if (!answer.answers(id, host, type)) {
                throw new DnsException("an answer to another question");
            }
            return answer;
        }
    }
}
