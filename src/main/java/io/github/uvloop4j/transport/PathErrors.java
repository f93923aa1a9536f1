package io.github.uvloop4j.transport;

import io.github.uvloop4j.uv.UvException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** From libuv's codes to the exceptions of {@code java.nio.file}, for what is done with a path. */
final class PathErrors {
    private PathErrors() {}

    /** The exception for a negative status, with the UvException as its cause. */
    static FileSystemException of(int status, String operation, Path path) {
        var cause = UvException.stackless(status, operation + ' ' + path);
        var error = switch (cause.errno()) {
            case ENOENT -> new NoSuchFileException(path.toString());
            case EACCES -> new AccessDeniedException(path.toString());
            default -> new FileSystemException(path.toString(), null, cause.getMessage());
        };
        error.initCause(cause);
        return error;
    }
}
