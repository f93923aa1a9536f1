/**
 * An event loop for the JVM on libuv.
 *
 * <p>Start at {@code io.github.uvloop4j.EventLoop}.
 */
module io.github.uvloop4j {
    requires static org.jspecify;
}
