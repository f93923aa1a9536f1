package io.github.uvloop4j.cli.bench;

import io.github.uvloop4j.cli.process.KeyPairFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the runs of a comparison take place: free ports or socket files, and the servers' key for TLS. */
final class Places implements AutoCloseable {
    private final @Nullable Path folder;
    private final @Nullable KeyPairFiles keys;
    private int runs;

    private Places(@Nullable Path folder, @Nullable KeyPairFiles keys) {
        this.folder = folder;
        this.keys = keys;
    }

    /**
     * Where one run takes place.
     *
     * @param address that the server shall listen at
     * @param keys of the server; null without TLS
     */
    record Place(String address, @Nullable KeyPairFiles keys) {
        /** A word of a command with what stands in it for address, certificate and key. */
        String fill(String word) {
            var filled = word.replace("{addr}", address);
            return keys == null
                    ? filled
                    : filled.replace("{cert}", keys.certificate().toString())
                            .replace("{key}", keys.key().toString());
        }
    }

    static Places open(Over over) throws IOException, InterruptedException {
        return switch (over) {
            case TCP, UDP -> new Places(null, null);
            case UNIX -> new Places(Files.createTempDirectory("uvloop4j-echo"), null);
            case TLS -> new Places(null, KeyPairFiles.make());
        };
    }

    /** One that no run has had. */
    Place next() {
        runs++;
        return new Place(folder == null ? "127.0.0.1:0" : "unix:" + folder.resolve(runs + ".sock"), keys);
    }

    @Override
    public void close() {
        if (keys != null) {
            keys.close();
        }
        if (folder != null) {
            removeFolder(folder);
        }
    }

    /** A server that is killed leaves its socket's file behind. */
    private void removeFolder(Path left) {
        try {
            for (var run = 1; run <= runs; run++) {
                Files.deleteIfExists(left.resolve(run + ".sock"));
            }
            Files.deleteIfExists(left);
        } catch (IOException _) {
            // It is in the folder for temporary files.
        }
    }
}
