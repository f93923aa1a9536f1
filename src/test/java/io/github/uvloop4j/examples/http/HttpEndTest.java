package io.github.uvloop4j.examples.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that are slow or leave, and a server that stops. */
@Timeout(60)
class HttpEndTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    void whoTakesTooLongToAskIsTold() throws Exception {
        try (var site = new Site(WebServer.site(), HttpLimits.DEFAULT.times(SHORT, LONG));
                var idle = site.client();
                var slow = site.client()) {
            slow.send("GET /hello HT");
            var answer = slow.read();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.fields()).containsEntry("connection", "close");
            assertThat(slow.readToEnd()).isEmpty();
            assertThat(idle.get("/hello").read().status()).isEqualTo(200);
        }
    }

    @Test
    void whoAsksNothingIsLetGoWithoutAWord() throws Exception {
        try (var site = new Site(WebServer.site(), HttpLimits.DEFAULT.times(LONG, SHORT));
                var client = site.client()) {
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    /** Writes for ever, and tells how far it got and how it ended. */
    private record Endless(AtomicLong written, CompletableFuture<Throwable> end) implements Handler {
        Endless() {
            this(new AtomicLong(), new CompletableFuture<>());
        }

        @Override
        public Response handle(Request request) {
            var bytes = new byte[10_000];
            return Response.stream("application/octet-stream", output -> {
                try {
                    while (true) {
                        output.write(bytes);
                        written.addAndGet(bytes.length);
                    }
                } catch (Throwable failure) {
                    end.complete(failure);
                    throw failure;
                }
            });
        }
    }

    @Test
    void whoDoesNotReadIsDroppedAndFillsNoMemory() throws Exception {
        var endless = new Endless();
        try (var site = new Site(endless, HttpLimits.DEFAULT.times(SHORT, LONG));
                var client = site.client()) {
            client.get("/");
            assertThat(endless.end().get(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(endless.written().get()).isLessThan(20_000_000); // what the kernel's buffers take
            assertThatThrownBy(client::readToEnd).isInstanceOf(IOException.class);
        }
    }

    @Test
    void theBodyOfWhoHasLeftIsCancelled() throws Exception {
        var endless = new Endless();
        try (var site = new Site(endless)) {
            try (var client = site.client()) {
                client.get("/");
                Until.holds("something was written", () -> endless.written().get() > 0);
            }
            assertThat(endless.end().get(30, TimeUnit.SECONDS))
                    .isInstanceOfAny(CancellationException.class, IOException.class);
            Until.holds("the connection is gone", () -> site.http().server().clientCount() == 0);
        }
    }

    @Test
    void theTaskOfWhoHasLeftIsCancelled() throws Exception {
        var started = new CompletableFuture<Void>();
        var cancelled = new CompletableFuture<Void>();
        var handler = Handler.inTask(request -> {
            started.complete(null);
            try {
                Task.sleep(LONG);
                return Response.text("late");
            } catch (CancellationException left) {
                cancelled.complete(null);
                throw left;
            }
        });
        try (var site = new Site(handler)) {
            var client = site.client();
            client.get("/");
            started.get(30, TimeUnit.SECONDS);
            client.socket().setSoLinger(true, 0); // a reset: an end alone could be half of one
            client.socket().close();
            cancelled.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void aStopEndsIdleConnectionsAndAnswersTheOthers() throws Exception {
        var answer = new CompletableFuture<LoopFuture<Void>>();
        Handler handler = Handler.inTask(request -> {
            var future = EventLoop.current().<Void>createFuture();
            answer.complete(future);
            future.await();
            return Response.text("done");
        });
        var routes = WebServer.site().get("/held", handler);
        try (var site = new Site(routes);
                var idle = site.client();
                var busy = site.client()) {
            assertThat(idle.get("/hello").read().status()).isEqualTo(200);
            busy.get("/held");
            var held = answer.get(30, TimeUnit.SECONDS);
            var stopped = site.loop().call(() -> site.http().shutdown(Duration.ofSeconds(30)));
            assertThat(idle.readToEnd()).isEmpty();
            assertThat(stopped.isDone()).isFalse();
            held.complete(null);
            var last = busy.read();
            assertThat(last.body()).isEqualTo("done");
            assertThat(last.fields()).containsEntry("connection", "close");
            assertThat(busy.readToEnd()).isEmpty();
            idle.socket().close();
            busy.socket().close();
            assertThat(stopped.get(30, TimeUnit.SECONDS)).isZero();
            assertThatThrownBy(site::client).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aSlowReaderGetsAll() throws Exception {
        int chunks = 1000;
        var written = new AtomicInteger();
        Handler handler = request -> Response.stream("text/plain", output -> {
            for (int i = 0; i < chunks; i++) {
                output.write(String.valueOf((char) ('a' + i % 26)).repeat(10_000));
                written.incrementAndGet();
            }
        });
        try (var site = new Site(handler);
                var client = site.client()) {
            client.get("/");
            Until.holds("the kernel's buffers are full", () -> {
                int before = written.get();
                LockSupport.parkNanos(20_000_000);
                return before > 10 && written.get() == before;
            });
            assertThat(written.get()).isLessThan(chunks);
            var body = client.read().body();
            assertThat(body).hasSize(chunks * 10_000);
            for (int i = 0; i < chunks; i++) {
                assertThat(body.charAt(i * 10_000)).isEqualTo((char) ('a' + i % 26));
            }
        }
    }
}
