package io.github.uvloop4j.tls;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** What both sides have; empty lists leave the provider's choice. */
record TlsSettings(
        List<String> applicationProtocols,
        List<String> protocols,
        List<String> ciphers,
        Duration handshakeTimeout,
        Duration shutdownTimeout,
        @Nullable Executor executor) {
    static final TlsSettings DEFAULTS =
            new TlsSettings(List.of(), List.of(), List.of(), Duration.ofSeconds(60), Duration.ofSeconds(30), null);

    private static final int LONGEST_NAME = 255;

    TlsSettings {
        positive(handshakeTimeout, "handshakeTimeout");
        positive(shutdownTimeout, "shutdownTimeout");
        for (var name : applicationProtocols) {
            int length = name.getBytes(StandardCharsets.UTF_8).length;
            if (length == 0 || length > LONGEST_NAME) {
                throw new IllegalArgumentException("an application protocol has 1 to 255 bytes: \"" + name + '"');
            }
        }
    }

    private static void positive(Duration value, String name) {
        if (!Objects.requireNonNull(value, name).isPositive()) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }

    TlsSettings applicationProtocols(String... value) {
        return new TlsSettings(List.of(value), protocols, ciphers, handshakeTimeout, shutdownTimeout, executor);
    }

    TlsSettings protocols(String... value) {
        return new TlsSettings(
                applicationProtocols, some(value, "protocol"), ciphers, handshakeTimeout, shutdownTimeout, executor);
    }

    TlsSettings ciphers(String... value) {
        return new TlsSettings(
                applicationProtocols, protocols, some(value, "cipher"), handshakeTimeout, shutdownTimeout, executor);
    }

    private static List<String> some(String[] value, String what) {
        if (value.length == 0) {
            throw new IllegalArgumentException("at least one " + what + " is needed");
        }
        return List.of(value);
    }

    TlsSettings handshakeTimeout(Duration value) {
        return new TlsSettings(applicationProtocols, protocols, ciphers, value, shutdownTimeout, executor);
    }

    TlsSettings shutdownTimeout(Duration value) {
        return new TlsSettings(applicationProtocols, protocols, ciphers, handshakeTimeout, value, executor);
    }

    TlsSettings executor(Executor value) {
        return new TlsSettings(
                applicationProtocols,
                protocols,
                ciphers,
                handshakeTimeout,
                shutdownTimeout,
                Objects.requireNonNull(value, "executor"));
    }

    /** Refuses what a context cannot do. */
    void check(SSLContext context) {
        if (protocols.isEmpty() && ciphers.isEmpty()) {
            return;
        }
        var supported = context.getSupportedSSLParameters();
        checkSupported(protocols, supported.getProtocols(), "protocol");
        checkSupported(ciphers, supported.getCipherSuites(), "cipher");
    }

    /** Parameters for an engine, to be completed and set. */
    SSLParameters parameters(SSLEngine engine) {
        var parameters = engine.getSSLParameters();
        if (!protocols.isEmpty()) {
            parameters.setProtocols(protocols.toArray(String[]::new));
        }
        if (!ciphers.isEmpty()) {
            parameters.setCipherSuites(ciphers.toArray(String[]::new));
        }
        if (!applicationProtocols.isEmpty()) {
            parameters.setApplicationProtocols(applicationProtocols.toArray(String[]::new));
        }
        return parameters;
    }

    private static void checkSupported(List<String> wanted, String[] supported, String what) {
        for (var name : wanted) {
            if (!List.of(supported).contains(name)) {
                throw new IllegalArgumentException(
                        "no such " + what + ": " + name + "; there are " + String.join(", ", supported));
            }
        }
    }
}
