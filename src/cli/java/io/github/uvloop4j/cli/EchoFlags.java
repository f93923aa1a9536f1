package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.process.KeyPairFiles;
import io.github.uvloop4j.cli.server.EchoOptions;
import io.github.uvloop4j.tls.ServerTls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of {@code echo-server} that hold for several modes. */
final class EchoFlags {
    @Option(
            names = "--tls",
            description = "Serve TLS; without --cert with a certificate for localhost that is made for this run and"
                    + " printed as 'certificate FILE', for clients to trust.")
    private boolean tls;

    @Option(names = "--cert", paramLabel = "FILE", description = "The certificate chain, a PEM file.")
    private @Nullable Path certificate;

    @Option(names = "--key", paramLabel = "FILE", description = "The key of the certificate, a PEM file.")
    private @Nullable Path key;

    @Option(names = "--debug", description = "Run the loops in debug mode.")
    private boolean debug;

    void check(CommandLine command) {
        RequestOptions.require(
                command, (certificate == null) == (key == null), "--cert and --key go together: give both or none");
        RequestOptions.require(command, tls || certificate == null, "--cert and --key need --tls");
    }

    /**
     * What they ask for.
     *
     * @param made is told the file of a certificate that is made for this run
     */
    EchoOptions options(Consumer<Path> made) throws IOException, InterruptedException {
        return new EchoOptions(tls ? serverTls(made) : null, debug);
    }

    private ServerTls serverTls(Consumer<Path> made) throws IOException, InterruptedException {
        if (certificate != null && key != null) {
            return ServerTls.of(certificate, key);
        }
        var keys = KeyPairFiles.make();
        made.accept(keys.certificate());
        return ServerTls.of(keys.certificate(), keys.key());
    }
}
