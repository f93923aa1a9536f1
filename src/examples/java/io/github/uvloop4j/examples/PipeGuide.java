package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.FifoMode;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.net.SocketType;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** What the guide "Network" shows of pipes and of descriptors that are passed on, as a program that runs. */
public final class PipeGuide {
    private PipeGuide() {}

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        var directory = Files.createTempDirectory("uvloop4j");
        var fifo = directory.resolve("log");
        new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start().waitFor();
        try {
            EventLoop.run(loop -> {
                tasks(loop);
                protocols(loop, fifo);
                descriptors(loop);
            });
        } finally {
            Files.delete(fifo);
            Files.delete(directory);
        }
    }

    private static void tasks(EventLoop loop) throws Exception {
        var pipe = loop.sockets().openPipe();
        try (var in = loop.net().openReadPipe(pipe.reader());
                var out = loop.net().openWritePipe(pipe.writer())) {
            out.write("one\ntwo\n");
            out.shutdownOutput();
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(line);
            }
        }
    }

    /** Prints what arrives. */
    public static final class Printer implements Protocol {
        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        @Override
        public void dataReceived(ByteBuffer data) {
            System.out.print(StandardCharsets.UTF_8.decode(data));
        }

        @Override
        public void connectionLost(Throwable cause) {
            ended.complete(null);
        }
    }

    private static void protocols(EventLoop loop, Path path) throws Exception {
        var log = loop.sockets().openFifo(path, FifoMode.READ);
        var printer = loop.net().connectReadPipe(Printer::new, log).await().protocol();

        new ProcessBuilder("sh", "-c", "echo from a shell > '" + path + "'").start();
        LoopFuture.from(printer.ended).await();
    }

    private static void descriptors(EventLoop loop) throws Exception {
        try (var way = loop.sockets().openUnixPair(SocketType.STREAM)) {
            System.out.println("process " + way.first().peerCredentials().pid());

            var listening = loop.sockets().openTcp(StandardProtocolFamily.INET);
            listening.bind(new InetSocketAddress("127.0.0.1", 0));
            var name = ByteBuffer.wrap("http".getBytes(StandardCharsets.UTF_8));
            loop.sockets().sockSendDescriptor(way.first(), name, listening.fd()).await();
            listening.close();

            var target = ByteBuffer.allocate(100);
            var message =
                    loop.sockets().sockRecvDescriptor(way.second(), target).await();
            var passed = loop.sockets().adopt(message.descriptor().detach());
            try (var listener = loop.net().listen(passed, ServerOptions.defaults())) {
                System.out.println(StandardCharsets.UTF_8.decode(target.flip()) + " at " + listener.address());
            }
        }
    }
}
