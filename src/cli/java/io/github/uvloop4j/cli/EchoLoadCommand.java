package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.client.Destination;
import io.github.uvloop4j.cli.client.LoadClient;
import io.github.uvloop4j.cli.client.LoadSettings;
import io.github.uvloop4j.cli.client.ServerCpu;
import io.github.uvloop4j.cli.json.JsonWriter;
import io.github.uvloop4j.cli.process.Endpoint;
import io.github.uvloop4j.cli.server.EchoOptions;
import io.github.uvloop4j.cli.server.NioDatagramServer;
import io.github.uvloop4j.cli.server.NioServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code echo-load}: the client process of {@code echo-bench}. It prints {@code ready}, waits for a line with the
 * server's address and process id, and prints its result as JSON.
 */
@Command(name = EchoLoadCommand.NAME, hidden = true, mixinStandardHelpOptions = true)
final class EchoLoadCommand implements Callable<Integer> {
    static final String NAME = "echo-load";

    @Mixin
    private final RequestOptions request = new RequestOptions();

    @Mixin
    private final LoadOptions load = new LoadOptions();

    @Option(names = "--cpu-from-start")
    private boolean cpuFromStart;

    @Option(names = "--rehearse")
    private long rehearse;

    @Override
    public Integer call() throws IOException {
        if (rehearse > 0) {
            rehearse();
        }
        System.out.println("ready");
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var line = input.readLine();
        if (line == null) {
            throw new IOException("the parent went away");
        }
        var blank = line.lastIndexOf(' ');
        var cpu = new ServerCpu(Long.parseLong(line, blank + 1, line.length(), 10), cpuFromStart);
        var settings = load.settings(request, request.destination(Endpoint.parse(line.substring(0, blank))));
        var result = LoadClient.run(settings, cpu);
        System.out.println(JsonWriter.line(load.report(settings, result, cpu)));
        return 0;
    }

    /**
     * Lets the JIT compile the client before the server starts, so that a cold server meets a warm client. Streams are
     * rehearsed over TCP.
     */
    private void rehearse() throws IOException {
        var address = new CompletableFuture<SocketAddress>();
        var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var udp = request.destination().datagrams();
        var server = udp ? new NioDatagramServer() : new NioServer();
        Thread.ofPlatform().daemon().name("rehearsal").start(() -> {
            try {
                server.serve(any, EchoOptions.PLAIN, address::complete);
            } catch (Exception e) {
                address.completeExceptionally(e);
            }
        });
        var settings = load.settings(request, new Destination(address.join(), udp, null));
        LoadClient.run(
                new LoadSettings(
                        settings.destination(),
                        settings.messageSize(),
                        settings.messagesPerRequest(),
                        settings.connections(),
                        settings.inFlight(),
                        0,
                        Duration.ZERO,
                        rehearse,
                        settings.timeout()),
                LoadClient.Observer.NONE);
    }
}
