package io.github.uvloop4j.benchmarks.peers;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.Version;
import java.io.File;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What every server on Netty here begins with. */
final class NettyPeer {
    private NettyPeer() {}

    /** The transport that is asked for. Ends the process with its versions when those are asked for. */
    static NettyTransport transport(PeerProcess process) {
        var transport = NettyTransport.named(process.option("--transport", "epoll"));
        var unavailable = transport.unavailable();
        if (unavailable == null && isOpenSsl(process)) {
            unavailable = OpenSsl.unavailabilityCause();
        }
        if (unavailable != null) {
            throw PeerProcess.fail("not available here: " + rootCause(unavailable));
        }
        if (process.asksVersion()) {
            System.out.println(versions() + (isOpenSsl(process) ? ", " + OpenSsl.versionString() : ""));
            System.exit(0);
        }
        return transport;
    }

    private static boolean isOpenSsl(PeerProcess process) {
        return process.option("--tls", "").equals("openssl");
    }

    /** TLS by the JDK's engine or by a native one, or null for none. */
    static @Nullable SslContext tls(PeerProcess process) throws SSLException {
        if (process.option("--tls", "").isEmpty()) {
            return null;
        }
        return SslContextBuilder.forServer(
                        new File(process.option("--cert", "")), new File(process.option("--key", "")))
                .sslProvider(isOpenSsl(process) ? SslProvider.OPENSSL : SslProvider.JDK)
                .build();
    }

    private static String versions() {
        // Packed into one jar, only one of Netty's modules is left to tell its version.
        var modules = Version.identify().values().iterator();
        var version = modules.hasNext() ? modules.next().artifactVersion() : "of unknown version";
        return "Netty " + version + ", JDK " + Runtime.version();
    }

    private static Throwable rootCause(Throwable thrown) {
        var cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
