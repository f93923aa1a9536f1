package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.TaskGroup;
import io.github.uvloop4j.concurrent.TaskGroupException;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.Listener;
import io.github.uvloop4j.sync.AsyncQueue;
import io.github.uvloop4j.sync.QueueShutdownException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One room in which everyone hears everyone: lines over TCP, the first of which is the name. A client has a queue and a
 * task that sends it; who is too slow to empty it is thrown out, so that nobody holds up the others. SIGTERM and Ctrl-C
 * stop the server: clients get what is queued for them and a farewell.
 */
public final class ChatServer {
    private static final int QUEUED = 100;

    private record Client(Connection connection, AsyncQueue<String> lines) {}

    private final Set<Client> clients = new LinkedHashSet<>();
    private final Listener listener;

    private ChatServer(Listener listener) {
        this.listener = listener;
    }

    /** Serves a port of the loopback interface, 7000 or the one that is given. */
    public static void main(String[] args) throws Exception {
        int port = args.length == 0 ? 7000 : Integer.parseInt(args[0]);
        EventLoop.run(loop -> {
            var server = new ChatServer(loop.net().listen("127.0.0.1", port));
            var served = loop.spawn("chat", server::serve);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stopAndWait(loop, served)));
            System.out.println("listening on port " + server.listener.port());
            served.await();
        });
    }

    /** Holds up the end of the JVM until the server has ended. */
    private void stopAndWait(EventLoop loop, LoopFuture<?> served) {
        try {
            loop.post(this::stop);
            served.await(Duration.ofSeconds(5));
        } catch (Exception unfinished) {
            System.err.println("not stopped: " + unfinished);
        }
    }

    /** Returns when the server was stopped and the last client has gone. */
    private void serve() throws Exception {
        TaskGroup.run(group -> {
            try {
                while (true) {
                    var connection = listener.accept();
                    group.spawn(() -> welcome(connection));
                }
            } catch (ClosedChannelException stopped) {
                // The clients are on their way out.
            }
        });
    }

    private void stop() {
        listener.close();
        broadcast("* the server stops");
        clients.forEach(client -> client.lines.shutdown());
        clients.clear();
    }

    private void welcome(Connection connection) throws Exception {
        var client = new Client(connection, AsyncQueue.fifo(QUEUED));
        clients.add(client);
        try (connection) {
            TaskGroup.run(group -> {
                group.spawn(() -> {
                    send(client);
                    group.cancel(); // nobody listens to the client any more
                });
                listen(client);
                client.lines.shutdown();
            });
        } catch (TaskGroupException failed) {
            if (!(failed.first() instanceof IOException)) {
                throw failed; // anything but a broken connection
            }
        } finally {
            clients.remove(client);
        }
    }

    private void listen(Client client) throws IOException {
        var name = client.connection.readLine();
        broadcast("* " + name + " comes in");
        try {
            for (var line = client.connection.readLine(); line != null; line = client.connection.readLine()) {
                broadcast(name + ": " + line);
            }
        } finally {
            broadcast("* " + name + " has left");
        }
    }

    /** Parks while there is nothing to send, or the client is slow. */
    private static void send(Client client) throws IOException {
        try {
            while (true) {
                client.connection.write(client.lines.get() + "\n");
            }
        } catch (QueueShutdownException over) {
            // What was written goes out before the connection closes.
        }
    }

    private void broadcast(String line) {
        clients.removeIf(client -> {
            boolean full = !client.lines.offer(line);
            if (full) {
                client.connection.abort();
            }
            return full;
        });
    }
}
