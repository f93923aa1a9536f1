/**
 * An event loop for the JVM on libuv.
 *
 * <p>Start at {@code io.github.uvloop4j.EventLoop}.
 */
module io.github.uvloop4j {
    requires static io.opentelemetry.api;
    requires static io.opentelemetry.context;
    requires static io.opentelemetry.sdk.common;
    requires static io.opentelemetry.sdk.metrics;
    requires static java.instrument;
    requires static jdk.attach;
    requires static jdk.jfr;
    requires static micrometer.core;
    requires static org.jspecify;

    exports io.github.uvloop4j;
    exports io.github.uvloop4j.affinity;
    exports io.github.uvloop4j.concurrent;
    exports io.github.uvloop4j.dns;
    exports io.github.uvloop4j.guard;
    exports io.github.uvloop4j.net;
    exports io.github.uvloop4j.observe;
    exports io.github.uvloop4j.observe.micrometer;
    exports io.github.uvloop4j.observe.opentelemetry;
    exports io.github.uvloop4j.sync;
    exports io.github.uvloop4j.pool;
    exports io.github.uvloop4j.tls;
    exports io.github.uvloop4j.uv;
    exports io.github.uvloop4j.work;
}
