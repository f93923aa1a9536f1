package io.github.uvloop4j.examples.redis;

import java.io.IOException;

/** What the server refused to do, in its words; or words of the server that nobody can understand. */
public final class RedisException extends IOException {
    private static final long serialVersionUID = 1;

    /** With the server's message, or what is wrong with it. */
    public RedisException(String message) {
        super(message);
    }
}
