package io.github.uvloop4j.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;

/** The other side of a test: plain blocking sockets in threads. */
public final class Peers {
    /** What a peer does with its socket. */
    @FunctionalInterface
    public interface Script<T> {
        /** Runs on a thread of its own. */
        T run(Socket socket) throws Exception;
    }

    private Peers() {}

    /** Connects to a server on a thread of its own and runs a script, then closes the socket. */
    public static <T> CompletableFuture<T> client(SocketAddress server, Script<T> script) {
        var result = new CompletableFuture<T>();
        Thread.ofPlatform().daemon().name("peer").start(() -> {
            try (var socket = new Socket()) {
                socket.setSoTimeout(30_000);
                socket.connect(server, 30_000);
                result.complete(script.run(socket));
            } catch (Throwable error) {
                result.completeExceptionally(error);
            }
        });
        return result;
    }

    /** A listening socket on a free port of the loopback interface that serves one connection with a script. */
    public static <T> Listening<T> server(Script<T> script) throws IOException {
        var listening = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
        listening.setSoTimeout(30_000);
        var result = new CompletableFuture<T>();
        Thread.ofPlatform().daemon().name("peer").start(() -> {
            try (listening;
                    var socket = listening.accept()) {
                socket.setSoTimeout(30_000);
                result.complete(script.run(socket));
            } catch (Throwable error) {
                result.completeExceptionally(error);
            }
        });
        return new Listening<>(listening.getLocalPort(), result);
    }

    /** A peer that listens on a port of 127.0.0.1, and what its script will return. */
    public record Listening<T>(int port, CompletableFuture<T> result) {}
}
