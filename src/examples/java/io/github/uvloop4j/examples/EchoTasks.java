package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;

/** An echo server in linear code: one task for each connection. */
public final class EchoTasks {
    private EchoTasks() {}

    /** Serves port 7000 until it is interrupted. */
    public static void main(String[] args) throws Exception {
        EventLoop.run(loop -> {
            try (var listener = loop.net().listen("127.0.0.1", 7000)) {
                while (true) {
                    var connection = listener.accept(); // parks this task; the loop goes on
                    loop.spawn(() -> {
                        try (connection) {
                            connection.transferTo(connection);
                        }
                    });
                }
            }
        });
    }
}
