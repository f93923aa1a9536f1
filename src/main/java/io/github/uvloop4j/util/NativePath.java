package io.github.uvloop4j.util;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Paths as the system sees them. Any thread. */
public final class NativePath {
    /** What the JDK writes names of files in. */
    private static final Charset ENCODING =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"), StandardCharsets.UTF_8);

    private NativePath() {}

    /** A path's bytes, without the zero at their end. */
    public static byte[] bytes(Path path) {
        return path.toString().getBytes(ENCODING);
    }
}
