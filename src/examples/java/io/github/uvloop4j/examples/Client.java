package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;

/** Sends a line to one of the echo servers and prints what comes back. */
public final class Client {
    private Client() {}

    /** Talks to port 7000. */
    public static void main(String[] args) throws Exception {
        EventLoop.run(loop -> {
            try (var connection = loop.net().openConnection("127.0.0.1", 7000)) {
                connection.write("hello\n");
                System.out.println(connection.readLine());
            }
        });
    }
}
