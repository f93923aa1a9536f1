package io.github.uvloop4j.net;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ExceptionContext;
import io.github.uvloop4j.uv.UvPrepare;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An echo server for {@link DescriptorLimitTest}: prints its port, ends with its standard input. */
final class LimitedServer {
    private LimitedServer() {}

    public static void main(String[] arguments) throws Exception {
        try (var loop = EventLoop.create()) {
            loop.exceptionHandler(context -> {
                if (!context.message().equals("warm")) {
                    System.out.println("reported: " + context.message());
                }
            });
            // What is loaded and opened at first use is there before the descriptors run out.
            loop.run(() -> {
                var listener = loop.net().listen("127.0.0.1", 0);
                var client = loop.net().openConnection("127.0.0.1", listener.port());
                try (var accepted = listener.accept()) {
                    client.write("x\n");
                    accepted.write(accepted.readLine() + "\n");
                    client.readLine();
                }
                client.close();
                listener.close();
                try {
                    loop.net().openConnection("127.0.0.1", 1).close();
                } catch (IOException refused) {
                    loop.callExceptionHandler(new ExceptionContext("warm", refused, null, null));
                }
                serve(loop, new BufferedReader(new StringReader("warm up\n")));
            });
            if (arguments[0].equals("tasks")) {
                loop.run(() -> withTasks(loop));
            } else {
                loop.run(() -> withProtocols(loop));
            }
        }
    }

    /** Serves until the input ends; after each line counts the polls of a while in which nobody does anything. */
    private static void serve(EventLoop loop, BufferedReader in) throws Exception {
        var polls = new long[1];
        var prepare = new UvPrepare(loop.uv());
        prepare.start(() -> polls[0]++);
        while (readLine(loop, in) != null) {
            long before = polls[0];
            var quiet = loop.<Boolean>createFuture();
            loop.callLater(Duration.ofMillis(300), () -> quiet.complete(true));
            quiet.await();
            System.out.println("polls " + (polls[0] - before));
        }
        prepare.close();
    }

    private static void awaitEnd(EventLoop loop) throws Exception {
        serve(loop, new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }

    private static @Nullable String readLine(EventLoop loop, BufferedReader in) throws Exception {
        return loop.<@Nullable String>runInExecutor(
                        command -> Thread.ofPlatform().daemon().start(command), in::readLine)
                .await();
    }

    private static void withTasks(EventLoop loop) throws Exception {
        var listener = loop.net().listen("127.0.0.1", 0);
        System.out.println("port " + listener.port());
        loop.spawn(() -> {
            while (true) {
                var connection = listener.accept();
                loop.spawn(() -> {
                    try (connection) {
                        connection.transferTo(connection);
                    } catch (IOException gone) {
                        // The client left.
                    }
                });
            }
        });
        awaitEnd(loop);
        listener.close();
    }

    private static void withProtocols(EventLoop loop) throws Exception {
        var server = loop.net().createServer(Echo::new, "127.0.0.1", 0).await();
        System.out.println("port " + server.port());
        awaitEnd(loop);
        server.close();
    }

    private static final class Echo implements Protocol {
        private @Nullable Transport transport;

        @Override
        public void connectionMade(Transport made) {
            transport = made;
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            if (transport != null) {
                transport.write(data);
            }
        }
    }
}
