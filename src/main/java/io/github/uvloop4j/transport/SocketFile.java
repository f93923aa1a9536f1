package io.github.uvloop4j.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;

/** The file that a Unix socket was bound to, known by its inode. Any thread. */
record SocketFile(Path path, long device, long inode) {
    private static final int TYPE = 0170000;
    private static final int SOCKET = 0140000;

    /** The file that is there now. */
    static SocketFile at(Path path) throws IOException {
        return new SocketFile(path, attribute(path, "dev"), attribute(path, "ino"));
    }

    private static long attribute(Path path, String name) throws IOException {
        var value = Files.getAttribute(path, "unix:" + name, LinkOption.NOFOLLOW_LINKS);
        return ((Number) Objects.requireNonNull(value, name)).longValue();
    }

    /** Whether a path is that of a socket, and of no other kind of file. */
    static boolean isSocket(Path path) throws IOException {
        return (attribute(path, "mode") & TYPE) == SOCKET;
    }

    /** Removes the file, unless another has taken its place. */
    void removeIfSame() {
        try {
            if (at(path).equals(this)) {
                Files.delete(path);
            }
        } catch (IOException gone) {
            // Somebody else has removed it, or may and we may not.
        }
    }
}
