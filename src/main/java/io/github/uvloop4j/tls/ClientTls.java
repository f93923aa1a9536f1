package io.github.uvloop4j.tls;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the side that connects. It checks that the server's certificate comes from a root that it trusts, and is for
 * the host it connects to. Any thread.
 */
public final class ClientTls implements Tls {
    private static final class Platform {
        static final ClientTls TLS =
                new ClientTls(context(), new Contexts(null, null, null), TlsSettings.DEFAULTS, null, true);

        private Platform() {}

        private static SSLContext context() {
            try {
                return SSLContext.getDefault();
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("the platform's TLS cannot be made: " + e.getMessage(), e);
            }
        }
    }

    private final SSLContext context;
    private final @Nullable Contexts source;
    private final TlsSettings settings;
    private final @Nullable String serverName;
    private final boolean verifyHostName;

    private ClientTls(
            SSLContext context,
            @Nullable Contexts source,
            TlsSettings settings,
            @Nullable String serverName,
            boolean verifyHostName) {
        this.context = context;
        this.source = source;
        this.settings = settings;
        this.serverName = serverName;
        this.verifyHostName = verifyHostName;
    }

    /** The platform's roots, which the {@code javax.net.ssl} properties can change. */
    public static ClientTls defaults() {
        return Platform.TLS;
    }

    /** Keys and roots of a context. */
    public static ClientTls of(SSLContext context) {
        Objects.requireNonNull(context, "context");
        return new ClientTls(context, null, TlsSettings.DEFAULTS, null, true);
    }

    private Contexts source() {
        if (source == null) {
            throw Contexts.fixed();
        }
        return source;
    }

    private ClientTls from(Contexts changed) {
        return new ClientTls(changed.make(settings), changed, settings, serverName, verifyHostName);
    }

    private ClientTls with(TlsSettings changed) {
        changed.check(context);
        return new ClientTls(context, source, changed, serverName, verifyHostName);
    }

    /**
     * A copy that trusts the roots in a PEM file, and no others.
     *
     * @throws IllegalArgumentException when there is none in it
     * @throws java.io.UncheckedIOException when it cannot be read
     * @throws IllegalStateException when this was made of a context
     */
    public ClientTls trust(Path rootsPem) {
        var roots = PemFile.read(rootsPem).certificates();
        return from(new Contexts(source().identity(), roots, source().provider()));
    }

    /**
     * A copy that shows a certificate to servers which ask for one. Files and errors as for {@link ServerTls#of(Path, Path)}.
     *
     * @throws IllegalStateException when this was made of a context
     */
    public ClientTls identity(Path chainPem, Path keyPem) {
        return from(new Contexts(Identity.read(chainPem, keyPem, null), source().roots(), source().provider()));
    }

    /** {@link #identity(Path, Path)} with the password of the key. */
    public ClientTls identity(Path chainPem, Path keyPem, char[] password) {
        Objects.requireNonNull(password, "password");
        return from(new Contexts(Identity.read(chainPem, keyPem, password), source().roots(), source().provider()));
    }

    /**
     * A copy whose context comes from a provider.
     *
     * @throws IllegalStateException when this was made of a context
     */
    public ClientTls provider(Provider value) {
        Objects.requireNonNull(value, "provider");
        return from(new Contexts(source().identity(), source().roots(), value));
    }

    /** A copy that asks for and verifies another name than the host that is connected to. */
    public ClientTls serverName(String value) {
        return new ClientTls(context, source, settings, Objects.requireNonNull(value, "serverName"), verifyHostName);
    }

    /** A copy that does, or does not, check that the certificate is for the host; its origin is checked anyway. */
    public ClientTls verifyHostName(boolean value) {
        return new ClientTls(context, source, settings, serverName, value);
    }

    /** A copy that offers protocols by ALPN, the preferred first. */
    public ClientTls applicationProtocols(String... value) {
        return with(settings.applicationProtocols(value));
    }

    /** A copy that allows these versions only, as {@code "TLSv1.3"}. */
    public ClientTls protocols(String... value) {
        return with(settings.protocols(value));
    }

    /** A copy that allows these cipher suites only, the preferred first. */
    public ClientTls ciphers(String... value) {
        return with(settings.ciphers(value));
    }

    /** A copy with another limit of the handshake. */
    public ClientTls handshakeTimeout(Duration value) {
        return with(settings.handshakeTimeout(value));
    }

    /** A copy with another limit of closing. */
    public ClientTls shutdownTimeout(Duration value) {
        return with(settings.shutdownTimeout(value));
    }

    /** A copy whose long steps run on an executor, which must not be a loop. */
    public ClientTls executor(Executor value) {
        return with(settings.executor(value));
    }

    /**
     * Refuses a connection whose name could not be verified, as {@link #engine} does.
     *
     * @throws IllegalArgumentException when a name must be verified and there is none
     */
    public void checkHost(@Nullable String host) {
        if (host == null && serverName == null && verifyHostName) {
            throw new IllegalArgumentException(
                    "there is no host whose name could be verified: set serverName, or verifyHostName(false)");
        }
    }

    /**
     * An engine for one connection.
     *
     * @param host the host that is connected to, which is asked for and verified unless there is a server name; null when
     *     there is none, as for a Unix socket
     * @param port with the host, what sessions are remembered by
     * @throws IllegalArgumentException when a name must be verified and there is none
     */
    public SSLEngine engine(@Nullable String host, int port) {
        checkHost(host);
        var name = serverName == null ? host : serverName;
        var engine = name == null ? context.createSSLEngine() : context.createSSLEngine(withoutZone(name), port);
        engine.setUseClientMode(true);
        var parameters = settings.parameters(engine);
        if (verifyHostName) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        var indication = name == null ? null : indication(name);
        if (indication != null) {
            parameters.setServerNames(List.of(indication));
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    private static String withoutZone(String name) {
        int zone = name.indexOf('%');
        return zone < 0 ? name : name.substring(0, zone);
    }

    /** Only names are indicated: an address has no place there. */
    private static @Nullable SNIHostName indication(String name) {
        if (name.indexOf(':') >= 0 || name.chars().allMatch(c -> c == '.' || c >= '0' && c <= '9')) {
            return null;
        }
        var bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        try {
            // From bytes, since those from a string must not hold an underscore.
            return new SNIHostName(bare.getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException notAllowed) {
            return null;
        }
    }

    @Override
    public List<String> applicationProtocols() {
        return settings.applicationProtocols();
    }

    @Override
    public Duration handshakeTimeout() {
        return settings.handshakeTimeout();
    }

    @Override
    public Duration shutdownTimeout() {
        return settings.shutdownTimeout();
    }

    @Override
    public @Nullable Executor executor() {
        return settings.executor();
    }

    @Override
    public SSLContext context() {
        return context;
    }

    @Override
    public String toString() {
        return "client TLS of " + context.getProvider().getName();
    }
}
