package io.github.uvloop4j.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Contexts of what PEM files hold. */
record Contexts(
        @Nullable Identity identity,
        @Nullable List<X509Certificate> roots,
        @Nullable Provider provider) {
    private static final char[] NO_PASSWORD = {};
    private static final String PKIX = "PKIX";

    /** For who wants to change what a context has that was given. */
    static IllegalStateException fixed() {
        return new IllegalStateException("made of an SSLContext: keys, roots and provider are the context's to know");
    }

    /** A new context that can do what settings say; without an identity for clients only, and without roots with those of the platform. */
    SSLContext make(TlsSettings settings) {
        try {
            var context = provider == null ? SSLContext.getInstance("TLS") : SSLContext.getInstance("TLS", provider);
            context.init(keyManagers(), trustManagers(), null);
            settings.check(context);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            var by = provider == null ? "" : " by " + provider.getName();
            throw new IllegalArgumentException(
                    "no TLS can be made of these keys and roots" + by + ": " + e.getMessage(), e);
        }
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private KeyManager @Nullable [] keyManagers() throws GeneralSecurityException, IOException {
        if (identity == null) {
            return null;
        }
        var store = emptyStore();
        store.setKeyEntry("key", identity.key(), NO_PASSWORD, identity.chain().toArray(X509Certificate[]::new));
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    /** The provider's own where it has some: they know what its engines ask for. */
    private TrustManager @Nullable [] trustManagers() throws GeneralSecurityException, IOException {
        boolean own = provider != null && provider.getService("TrustManagerFactory", PKIX) != null;
        if (roots == null && !own) {
            return null;
        }
        var store = emptyStore();
        for (var root : roots == null ? platformRoots() : roots) {
            store.setCertificateEntry("root " + store.size(), root);
        }
        var factory = own
                ? TrustManagerFactory.getInstance(PKIX, provider)
                : TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static List<X509Certificate> platformRoots() throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        for (var manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager known) {
                return List.of(known.getAcceptedIssuers());
            }
        }
        return List.of();
    }
}
