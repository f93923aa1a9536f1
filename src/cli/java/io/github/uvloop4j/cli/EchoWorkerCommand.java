package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.client.PingPong;
import io.github.uvloop4j.cli.client.Workers;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code echo-worker}: one worker process of {@code echo-client}. */
@Command(name = EchoWorkerCommand.NAME, hidden = true, mixinStandardHelpOptions = true)
final class EchoWorkerCommand implements Callable<Integer> {
    static final String NAME = "echo-worker";

    @Mixin
    private final RequestOptions request = new RequestOptions();

    @Option(names = "--num", required = true)
    private long messages;

    @Override
    public Integer call() throws IOException {
        var perRequest = request.messagesPerRequest();
        var server = request.destination();
        try (var connection = PingPong.connect(server, request.messageSize(), perRequest, request.timeout())) {
            Workers.work(connection, messages / perRequest, perRequest);
        }
        return 0;
    }
}
