package io.github.uvloop4j.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A certificate for localhost that is signed by nobody else, and its key, as PEM files in a folder of their own. Made for
 * one run by the JDK's keytool; gone with {@link #close}, or when this JVM exits.
 *
 * @param folder that holds them, which only this user can read
 */
public record KeyPairFiles(Path folder) implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ALIAS = "echo";
    private static final String PASSWORD = "changeit";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /**
     * Makes a pair.
     *
     * @throws IOException if keytool is missing or fails
     */
    public static KeyPairFiles make() throws IOException, InterruptedException {
        var files = new KeyPairFiles(Files.createTempDirectory("uvloop4j-tls"));
        Runtime.getRuntime().addShutdownHook(new Thread(files::close, "remove-key"));
        try {
            files.fill();
            return files;
        } catch (GeneralSecurityException e) {
            files.close();
            throw new IOException("keytool's key store cannot be read: " + e.getMessage(), e);
        } catch (IOException | InterruptedException e) {
            files.close();
            throw e;
        }
    }

    /** The certificate: what a client trusts. */
    public Path certificate() {
        return folder.resolve("cert.pem");
    }

    /** The key, without a password. */
    public Path key() {
        return folder.resolve("key.pem");
    }

    private Path store() {
        return folder.resolve("pair.p12");
    }

    private void fill() throws IOException, InterruptedException, GeneralSecurityException {
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var options = "-genkeypair -keyalg EC -groupname secp256r1 -dname CN=localhost -validity 7 -storetype PKCS12"
                + " -ext san=dns:localhost,ip:127.0.0.1,ip:::1 -alias " + ALIAS + " -storepass " + PASSWORD;
        var command = new ArrayList<>(List.of(keytool));
        command.addAll(List.of(options.split(" ", -1)));
        command.addAll(List.of("-keystore", store().toString()));
        try (var process = Child.start("keytool", command)) {
            if (process.exitStatus(LIMIT) != 0) {
                throw new IOException(process.describeFailure());
            }
        }
        var password = PASSWORD.toCharArray();
        var store = KeyStore.getInstance(store().toFile(), password);
        write(certificate(), "CERTIFICATE", store.getCertificate(ALIAS).getEncoded());
        write(key(), "PRIVATE KEY", store.getKey(ALIAS, password).getEncoded());
    }

    private static void write(Path file, String label, byte[] bytes) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + label + "-----\n" + LINES.encodeToString(bytes) + "\n-----END " + label + "-----\n");
    }

    /** Removes the files. */
    @Override
    public void close() {
        for (var file : List.of(store(), certificate(), key(), folder)) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException _) {
                // What is left is in the folder for temporary files, and worth nothing.
            }
        }
    }
}
