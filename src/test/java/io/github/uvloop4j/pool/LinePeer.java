package io.github.uvloop4j.pool;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server with blocking sockets that answers each line with the same line and counts the connections it accepted.
 * {@code hold X} is answered when the test lets it, {@code twice X} two times, {@code bye} is the last answer.
 */
final class LinePeer implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger accepts = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();
    private final Semaphore held = new Semaphore(0);

    LinePeer() throws IOException {
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    int accepts() {
        return accepts.get();
    }

    /** How many connections the other side has ended. */
    int ends() {
        return ends.get();
    }

    void answerHeld() {
        held.release();
    }

    private synchronized void start(Runnable body) {
        threads.add(Thread.ofPlatform().daemon().name("peer").start(body));
    }

    private void accept() {
        try {
            while (true) {
                var socket = listening.accept();
                accepts.incrementAndGet();
                socket.setSoTimeout(30_000);
                start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("hold")) {
                    held.acquireUninterruptibly();
                }
                var answer = line.startsWith("twice") ? line + '\n' + line + '\n' : line + '\n';
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                if (line.equals("bye")) {
                    return;
                }
            }
            ends.incrementAndGet();
        } catch (IOException reset) {
            ends.incrementAndGet();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        held.release(1000);
        List<Thread> all;
        synchronized (this) {
            all = List.copyOf(threads);
        }
        for (var thread : all) {
            joinFully(thread);
        }
    }

    private static void joinFully(Thread thread) {
        try {
            thread.join(30_000);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while the peer ended", e);
        }
    }
}
