package io.github.uvloop4j.observe.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.testing.Peers;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionSpansTest {
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk openTelemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();

    @AfterEach
    void closeSdk() {
        openTelemetry.close();
    }

    private EventLoop traced(boolean connections) {
        var options = TraceOptions.defaults().tasks(false).connections(connections);
        return EventLoop.create(LoopOptions.defaults().name("traced").observe(new LoopTraces(openTelemetry, options)));
    }

    private SpanData span(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String text(SpanData span, String key) {
        return span.getAttributes().get(AttributeKey.stringKey(key));
    }

    private static Long number(SpanData span, String key) {
        return span.getAttributes().get(AttributeKey.longKey(key));
    }

    private static int echo(EventLoop loop) throws Exception {
        return loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var connection = loop.net().openConnection("127.0.0.1", listener.port())) {
                try (var accepted = listener.accept()) {
                    accepted.write("abc");
                }
                connection.readAll();
                connection.write("x");
                return listener.port();
            }
        });
    }

    @Test
    @Tag("cells")
    void aConnectionIsASpanOfItsOwn() throws Exception {
        int port;
        try (var loop = traced(true)) {
            port = echo(loop);
        }
        var opened = span("tcp opened");
        assertThat(opened.getParentSpanId()).isEqualTo(SpanId.getInvalid());
        assertThat(text(opened, "network.transport")).isEqualTo("tcp");
        assertThat(text(opened, "network.type")).isEqualTo("ipv4");
        assertThat(text(opened, "network.peer.address")).isEqualTo("127.0.0.1");
        assertThat(number(opened, "network.peer.port")).isEqualTo(port);
        assertThat(text(opened, "network.local.address")).isEqualTo("127.0.0.1");
        assertThat(number(opened, "uvloop4j.connection.bytes_received")).isEqualTo(3);
        assertThat(number(opened, "uvloop4j.connection.bytes_sent")).isEqualTo(1);
        assertThat(text(opened, "uvloop4j.loop.name")).isEqualTo("traced");
        assertThat(opened.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        var accepted = span("tcp accepted");
        assertThat(number(accepted, "network.local.port")).isEqualTo(port);
        assertThat(number(accepted, "network.peer.port")).isEqualTo(number(opened, "network.local.port"));
        assertThat(number(accepted, "uvloop4j.connection.bytes_sent")).isEqualTo(3);
    }

    @Test
    void theCauseOfAnEndIsAnError() throws Exception {
        try (var loop = traced(true)) {
            loop.run(() -> {
                try (var listener = loop.net().listen("127.0.0.1", 0)) {
                    var peer = Peers.client(listener.address(), socket -> {
                        socket.setSoLinger(true, 0);
                        return null;
                    });
                    try (var connection = listener.accept()) {
                        loop.runInExecutor(peer::get).await();
                        connection.read(ByteBuffer.allocate(1));
                    } catch (SocketException reset) {
                        assertThat(reset).isNotNull();
                    }
                }
            });
        }
        var span = span("tcp accepted");
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(text(span, "error.type")).isEqualTo("java.net.SocketException");
        assertThat(span.getEvents()).hasSize(1);
    }

    @Test
    void withoutTheOptionThereIsNone() throws Exception {
        try (var loop = traced(false)) {
            echo(loop);
        }
        assertThat(exporter.getFinishedSpanItems()).isEmpty();
    }
}
