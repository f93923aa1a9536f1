package io.github.uvloop4j.observe.opentelemetry;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.observe.ConnectionLife;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A span from the opening of a connection to its end, named by the semantic conventions for networks. It has no parent:
 * connections outlive whoever made them.
 */
final class ConnectionSpans {
    private static final AttributeKey<String> TRANSPORT = AttributeKey.stringKey("network.transport");
    private static final AttributeKey<String> TYPE = AttributeKey.stringKey("network.type");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    private static final AttributeKey<Boolean> ACCEPTED = AttributeKey.booleanKey("uvloop4j.connection.accepted");
    private static final AttributeKey<Long> RECEIVED = AttributeKey.longKey("uvloop4j.connection.bytes_received");
    private static final AttributeKey<Long> SENT = AttributeKey.longKey("uvloop4j.connection.bytes_sent");

    private ConnectionSpans() {}

    static Span begin(Tracer tracer, ConnectionLife connection) {
        var span = tracer.spanBuilder(connection.kind() + (connection.isAccepted() ? " accepted" : " opened"))
                .setNoParent()
                .setAttribute(TRANSPORT, connection.kind())
                .setAttribute(ACCEPTED, connection.isAccepted())
                .setAttribute(Names.LOOP, EventLoop.current().options().name());
        address(span, "network.peer.", connection.peer());
        address(span, "network.local.", connection.local());
        return span.startSpan();
    }

    private static void address(SpanBuilder span, String prefix, @Nullable SocketAddress address) {
        if (address instanceof InetSocketAddress internet) {
            var host = internet.getAddress();
            span.setAttribute(prefix + "address", host == null ? internet.getHostString() : host.getHostAddress());
            span.setAttribute(prefix + "port", (long) internet.getPort());
            span.setAttribute(TYPE, host instanceof Inet6Address ? "ipv6" : "ipv4");
        } else if (address != null) {
            span.setAttribute(prefix + "address", address.toString());
        }
    }

    static void end(Span span, ConnectionLife connection, @Nullable Throwable cause) {
        span.setAttribute(RECEIVED, connection.bytesReceived());
        span.setAttribute(SENT, connection.bytesSent());
        if (cause != null) {
            span.recordException(cause);
            span.setAttribute(ERROR, cause.getClass().getName());
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
