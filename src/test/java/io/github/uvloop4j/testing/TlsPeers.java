package io.github.uvloop4j.testing;

import io.github.uvloop4j.tls.ServerTls;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The other side of a TLS test: the JDK's blocking sockets in threads. */
public final class TlsPeers {
    /** What a peer does once it has its TLS socket, before or after the handshake. */
    @FunctionalInterface
    public interface Script<T> {
        /** Runs on a thread of its own. */
        T run(SSLSocket socket) throws Exception;
    }

    private TlsPeers() {}

    /** TLS of a client over a connected socket; with a host name that it verifies. */
    public static SSLSocket client(Socket socket, String host) throws IOException {
        return client(TestTls.client().context(), socket, host);
    }

    /** TLS of a client over a connected socket, with the keys and roots of a context. */
    public static SSLSocket client(SSLContext context, Socket socket, String host) throws IOException {
        var secured = (SSLSocket) context.getSocketFactory().createSocket(socket, host, socket.getPort(), true);
        var parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        return secured;
    }

    /** Connects to a server of the loop with TLS, on a thread of its own. */
    public static <T> CompletableFuture<T> client(SocketAddress server, Script<T> script) {
        return Peers.client(server, socket -> {
            try (var secured = client(socket, "localhost")) {
                return script.run(secured);
            }
        });
    }

    /** TLS of a server over an accepted socket. */
    public static SSLSocket server(ServerTls tls, Socket socket) throws IOException {
        var factory = tls.context().getSocketFactory();
        var secured = (SSLSocket) factory.createSocket(socket, "peer", socket.getPort(), true);
        secured.setUseClientMode(false);
        return secured;
    }

    /** A server with TLS that serves one connection with a script. */
    public static <T> Peers.Listening<T> server(Script<T> script) throws IOException {
        return Peers.server(socket -> {
            try (var secured = server(TestTls.server(), socket)) {
                return script.run(secured);
            }
        });
    }
}
