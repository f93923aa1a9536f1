package io.github.uvloop4j.testing;

import io.github.uvloop4j.tls.ClientTls;
import io.github.uvloop4j.tls.ServerTls;
import java.nio.file.Path;

/** Keys, roots and TLS of both sides for tests. */
public final class TestTls {
    private TestTls() {}

    /** A file of the test keys. */
    public static Path file(String name) {
        return Path.of(System.getProperty("basedir", ""), "src/test/resources/tls", name);
    }

    /** A server for localhost with an EC key. */
    public static ServerTls server() {
        return server("server");
    }

    /** A server with one of the test certificates. */
    public static ServerTls server(String name) {
        return ServerTls.of(file(name + ".pem"), file(name + ".key"));
    }

    /** A client that trusts the test root, and verifies the name localhost unless it is told another. */
    public static ClientTls client() {
        return ClientTls.defaults().trust(file("root.pem"));
    }
}
