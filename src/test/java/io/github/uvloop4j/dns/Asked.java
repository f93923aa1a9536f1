package io.github.uvloop4j.dns;

import java.net.InetAddress;
import java.net.ProtocolFamily;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A resolver whose answers the test gives, one by one. */
final class Asked implements Resolver {
    static final InetAddress V4 = InetAddress.ofLiteral("192.0.2.1");
    static final InetAddress V6 = InetAddress.ofLiteral("2001:db8::1");

    final List<String> hosts = new ArrayList<>();
    final List<CompletableFuture<List<InetAddress>>> answers = new ArrayList<>();

    @Override
    public CompletionStage<List<InetAddress>> resolve(String host, ProtocolFamily family) {
        hosts.add(family == null ? host : host + ' ' + family);
        var answer = new CompletableFuture<List<InetAddress>>();
        answers.add(answer);
        return answer;
    }

    void answer(InetAddress... addresses) {
        answers.getLast().complete(List.of(addresses));
    }

    void fail() {
        answers.getLast().completeExceptionally(new UnknownHostException(hosts.getLast()));
    }

    @Override
    public String toString() {
        return "the test";
    }
}
