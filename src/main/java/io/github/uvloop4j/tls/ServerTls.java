package io.github.uvloop4j.tls;

import java.nio.file.Path;
import java.security.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** TLS of the side that accepts. Any thread. */
public final class ServerTls implements Tls {
    private final SSLContext context;
    private final @Nullable Contexts source;
    private final TlsSettings settings;
    private final ClientAuth clientAuth;
    private final HostNames names;

    private ServerTls(
            SSLContext context,
            @Nullable Contexts source,
            TlsSettings settings,
            ClientAuth clientAuth,
            HostNames names) {
        this.context = context;
        this.source = source;
        this.settings = settings;
        this.clientAuth = clientAuth;
        this.names = names;
    }

    /**
     * A server's certificate and key from PEM files, which may be the same one. The chain begins with the server's own
     * certificate; the key is in the form of PKCS#8, PKCS#1 (RSA) or SEC1 (EC).
     *
     * @throws IllegalArgumentException when a file does not hold what it should, the key is encrypted, or does not belong
     *     to the certificate
     * @throws java.io.UncheckedIOException when a file cannot be read
     */
    public static ServerTls of(Path chainPem, Path keyPem) {
        return of(Identity.read(chainPem, keyPem, null));
    }

    /** {@link #of(Path, Path)} with the password of a key that is encrypted in the form of PKCS#8. */
    public static ServerTls of(Path chainPem, Path keyPem, char[] password) {
        return of(Identity.read(chainPem, keyPem, Objects.requireNonNull(password, "password")));
    }

    private static ServerTls of(Identity identity) {
        var source = new Contexts(identity, null, null);
        return new ServerTls(
                source.make(TlsSettings.DEFAULTS), source, TlsSettings.DEFAULTS, ClientAuth.NONE, HostNames.NONE);
    }

    /** Keys and roots of a context. */
    public static ServerTls of(SSLContext context) {
        Objects.requireNonNull(context, "context");
        return new ServerTls(context, null, TlsSettings.DEFAULTS, ClientAuth.NONE, HostNames.NONE);
    }

    private Contexts source() {
        if (source == null) {
            throw Contexts.fixed();
        }
        return source;
    }

    private ServerTls from(Contexts changed) {
        return new ServerTls(changed.make(settings), changed, settings, clientAuth, names);
    }

    private ServerTls with(TlsSettings changed) {
        changed.check(context);
        return new ServerTls(context, source, changed, clientAuth, names);
    }

    /** A copy that asks clients for a certificate. */
    public ServerTls clientAuth(ClientAuth value) {
        return new ServerTls(context, source, settings, Objects.requireNonNull(value, "clientAuth"), names);
    }

    /**
     * A copy that trusts client certificates from the roots in a PEM file, and no others.
     *
     * @throws IllegalStateException when this was made of a context
     */
    public ServerTls trust(Path rootsPem) {
        var roots = PemFile.read(rootsPem).certificates();
        return from(new Contexts(source().identity(), roots, source().provider()));
    }

    /**
     * A copy whose context comes from a provider.
     *
     * @throws IllegalStateException when this was made of a context
     */
    public ServerTls provider(Provider value) {
        Objects.requireNonNull(value, "provider");
        return from(new Contexts(source().identity(), source().roots(), value));
    }

    /**
     * A copy that serves clients which ask for a host (SNI) with another TLS: other certificates, other protocols. The
     * timeouts and the executor stay this one's.
     *
     * @param hostPattern a name, or {@code *.} and a name for all names with one more label
     */
    public ServerTls forName(String hostPattern, ServerTls other) {
        return new ServerTls(context, source, settings, clientAuth, names.and(hostPattern, other));
    }

    /**
     * A copy that asks a function for names that no pattern matches. It runs on the loop thread and must not block;
     * null stands for this TLS. When it throws, the handshake fails.
     */
    public ServerTls forNames(Function<? super String, ? extends @Nullable ServerTls> choice) {
        return new ServerTls(context, source, settings, clientAuth, names.orElse(choice));
    }

    /** Whether the name that a client asks for makes a difference. */
    public boolean hasNames() {
        return !names.isEmpty();
    }

    /** The TLS for a client that asks for a host; this one when none was given for it. */
    public ServerTls select(String host) {
        var found = names.find(host);
        return found == null ? this : found;
    }

    /** A copy that chooses among these protocols by ALPN, the preferred first. */
    public ServerTls applicationProtocols(String... value) {
        return with(settings.applicationProtocols(value));
    }

    /** A copy that allows these versions only, as {@code "TLSv1.3"}. */
    public ServerTls protocols(String... value) {
        return with(settings.protocols(value));
    }

    /** A copy that allows these cipher suites only, the preferred first. */
    public ServerTls ciphers(String... value) {
        return with(settings.ciphers(value));
    }

    /** A copy with another limit of the handshake. */
    public ServerTls handshakeTimeout(Duration value) {
        return with(settings.handshakeTimeout(value));
    }

    /** A copy with another limit of closing. */
    public ServerTls shutdownTimeout(Duration value) {
        return with(settings.shutdownTimeout(value));
    }

    /** A copy whose long steps run on an executor, which must not be a loop. */
    public ServerTls executor(Executor value) {
        return with(settings.executor(value));
    }

    /** An engine for one connection, of this TLS whatever name the client asks for. */
    public SSLEngine engine() {
        var engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        var parameters = settings.parameters(engine);
        parameters.setUseCipherSuitesOrder(true);
        switch (clientAuth) {
            case NONE -> {}
            case WANTED -> parameters.setWantClientAuth(true);
            case REQUIRED -> parameters.setNeedClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
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
        return "server TLS of " + context.getProvider().getName();
    }
}
