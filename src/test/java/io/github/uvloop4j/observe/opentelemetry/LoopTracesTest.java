package io.github.uvloop4j.observe.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TaskGroup;
import io.github.uvloop4j.testing.ChildJvm;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On both kinds of tasks: what is current is kept by the thread, and a task's thread is another one on each. */
@Timeout(60)
@Tag("cells")
class LoopTracesTest {
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("uvloop4j.task.outcome");

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk openTelemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();
    private final Tracer tracer = openTelemetry.getTracer("test");

    /** What tasks ride on. */
    enum Ride {
        CARRIER,
        BATON
    }

    @AfterEach
    void closeSdk() {
        assertThat(Context.current()).as("left on this thread").isSameAs(Context.root());
        openTelemetry.close();
    }

    private LoopOptions options(Ride ride, TraceOptions options) {
        return LoopOptions.defaults()
                .name("traced")
                .tasks(LoopOptions.Tasks.valueOf(ride.name()))
                .observe(new LoopTraces(openTelemetry, options));
    }

    private EventLoop traced(Ride ride) {
        return EventLoop.create(options(ride, TraceOptions.defaults()));
    }

    private List<SpanData> spans(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private SpanData span(String name) {
        assertThat(spans(name)).as("spans named %s", name).hasSize(1);
        return spans(name).getFirst();
    }

    private void assertParent(String child, String parent) {
        assertThat(span(child).getParentSpanId()).isEqualTo(span(parent).getSpanId());
        assertThat(span(child).getTraceId()).isEqualTo(span(parent).getTraceId());
    }

    @ParameterizedTest
    @EnumSource
    void aTaskIsAChildOfTheTaskThatMakesIt(Ride ride) throws Exception {
        try (var loop = traced(ride)) {
            loop.run(() -> {
                loop.spawn("child", () -> {
                            Task.sleep(Duration.ofMillis(1));
                            loop.spawn("grandchild", () -> {}).await();
                        })
                        .await();
            });
        }
        assertThat(span("main").getParentSpanId()).isEqualTo(SpanId.getInvalid());
        assertParent("child", "main");
        assertParent("grandchild", "child");
    }

    @ParameterizedTest
    @EnumSource
    void aSpanTellsOfItsTask(Ride ride) throws Exception {
        long id;
        try (var loop = traced(ride)) {
            var task = loop.spawn("job-17", () -> {});
            id = task.id();
            loop.runUntilComplete(task);
        }
        var span = span("job");
        assertThat(span.getAttributes().get(AttributeKey.stringKey("uvloop4j.task.name")))
                .isEqualTo("job-17");
        assertThat(span.getAttributes().get(AttributeKey.longKey("uvloop4j.task.id")))
                .isEqualTo(id);
        assertThat(span.getAttributes().get(AttributeKey.stringKey("uvloop4j.loop.name")))
                .isEqualTo("traced");
        assertThat(span.getAttributes().get(OUTCOME)).isEqualTo("completed");
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(span.getEvents()).extracting(EventData::getName).containsExactly("begin");
        assertThat(span.hasEnded()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void tasksOfAGroupAreChildrenOfItsOwner(Ride ride) throws Exception {
        try (var loop = traced(ride)) {
            loop.run(() -> TaskGroup.run(group -> {
                group.spawn("one", () -> Task.sleep(Duration.ofMillis(1)));
                group.spawn("two", () -> {});
            }));
        }
        assertParent("one", "main");
        assertParent("two", "main");
    }

    @ParameterizedTest
    @EnumSource
    void spansOfTheUsersAreBetween(Ride ride) throws Exception {
        try (var loop = traced(ride)) {
            loop.run(() -> {
                var own = tracer.spanBuilder("own").startSpan();
                try (var _ = own.makeCurrent()) {
                    loop.spawn(
                                    "inner",
                                    () -> tracer.spanBuilder("innermost")
                                            .startSpan()
                                            .end())
                            .await();
                } finally {
                    own.end();
                }
                loop.spawn("after", () -> {}).await();
            });
        }
        assertParent("own", "main");
        assertParent("inner", "own");
        assertParent("innermost", "inner");
        assertParent("after", "main");
    }

    @ParameterizedTest
    @EnumSource
    void aFailureIsTold(Ride ride) throws Exception {
        try (var loop = traced(ride)) {
            loop.run(() -> {
                var failing = loop.spawn("failing", () -> {
                    throw new IllegalStateException("broken");
                });
                try {
                    failing.await();
                } catch (IllegalStateException expected) {
                    assertThat(expected).hasMessage("broken");
                }
            });
        }
        var span = span("failing");
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span.getAttributes().get(OUTCOME)).isEqualTo("failed");
        assertThat(span.getEvents()).extracting(EventData::getName).containsExactly("begin", "exception");
    }

    @ParameterizedTest
    @EnumSource
    void aCancelIsNoError(Ride ride) throws Exception {
        try (var loop = traced(ride)) {
            loop.run(() -> {
                var begun = loop.spawn("begun", () -> Task.sleep(Duration.ofDays(1)));
                Task.sleep(Duration.ZERO);
                begun.cancel();
                loop.spawn("not begun", () -> {}).cancel();
            });
        }
        for (var name : List.of("begun", "not begun")) {
            assertThat(span(name).getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
            assertThat(span(name).getAttributes().get(OUTCOME)).isEqualTo("cancelled");
        }
    }

    @ParameterizedTest
    @EnumSource
    void contextsOfTasksThatTakeTurnsDoNotMix(Ride ride) throws Exception {
        var wrong = new ArrayList<String>();
        try (var loop = traced(ride)) {
            loop.run(() -> TaskGroup.run(group -> {
                for (int i = 0; i < 20; i++) {
                    group.spawn("turn " + i, () -> {
                        var own = Span.current();
                        for (int turn = 0; turn < 20; turn++) {
                            Task.sleep(Duration.ZERO);
                            if (Span.current() != own) {
                                wrong.add(Span.current() + " in " + own);
                            }
                        }
                    });
                }
                Task.sleep(Duration.ZERO);
                loop.callSoon(() -> {
                    if (Context.current() != Context.root()) {
                        wrong.add(Context.current() + " in a callback");
                    }
                });
            }));
            loop.callSoon(() -> {
                if (Context.current() != Context.root()) {
                    wrong.add(Context.current() + " in a callback after all");
                }
            });
            loop.runOnce();
        }
        assertThat(wrong).isEmpty();
        assertThat(exporter.getFinishedSpanItems()).hasSize(21);
    }

    @ParameterizedTest
    @EnumSource
    void withoutSpansTheContextStillGoesAlong(Ride ride) throws Exception {
        try (var loop = EventLoop.create(options(ride, TraceOptions.defaults().tasks(false)))) {
            loop.run(() -> {
                loop.spawn(() -> assertThat(Context.current()).isSameAs(Context.root()))
                        .await();
                var own = tracer.spanBuilder("own").startSpan();
                try (var _ = own.makeCurrent()) {
                    loop.spawn(() -> {
                                Task.sleep(Duration.ofMillis(1));
                                tracer.spanBuilder("inner").startSpan().end();
                            })
                            .await();
                } finally {
                    own.end();
                }
            });
        }
        assertParent("inner", "own");
        assertThat(exporter.getFinishedSpanItems()).hasSize(2);
    }

    /** The baton learns of such a thread only in the thread itself. */
    @Test
    void aThreadThatRidesOnTheLoopIsAChildOfWhoStartsIt() throws Exception {
        try (var loop = traced(Ride.CARRIER).start()) {
            var own = tracer.spanBuilder("own").startSpan();
            Thread thread;
            try (var _ = own.makeCurrent()) {
                thread = loop.threadFactory()
                        .newThread(
                                () -> tracer.spanBuilder("inside").startSpan().end());
                thread.start();
            } finally {
                own.end();
            }
            thread.join();
        }
        var task = exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getSpanId().equals(span("inside").getParentSpanId()))
                .findFirst()
                .orElseThrow();
        assertThat(task.getParentSpanId()).isEqualTo(span("own").getSpanId());
    }

    @ParameterizedTest
    @EnumSource
    void aTaskThatTheLoopCutsShortEndsToo(Ride ride) throws Exception {
        var options = options(ride, TraceOptions.defaults()).closeTimeout(Duration.ofMillis(20));
        try (var loop = EventLoop.create(options)) {
            loop.exceptionHandler(context -> {});
            loop.spawn("stubborn", () -> {
                while (true) {
                    LockSupport.parkNanos(1);
                    try {
                        Task.sleep(Duration.ofMillis(1));
                    } catch (CancellationException again) {
                        // It does not listen.
                    }
                }
            });
            loop.run(() -> Task.sleep(Duration.ofMillis(5)));
        }
        assertThat(span("stubborn").getAttributes().get(OUTCOME)).isEqualTo("cancelled");
    }

    @ParameterizedTest
    @EnumSource
    void nothingHappensWithoutAnSdk(Ride ride) throws Exception {
        var options = options(ride, TraceOptions.defaults()).observe(new LoopTraces(OpenTelemetry.noop()));
        try (var loop = EventLoop.create(options)) {
            assertThat(loop.run(() -> loop.spawn(() -> 7).await())).isEqualTo(7);
        }
        assertThat(exporter.getFinishedSpanItems()).isEmpty();
    }

    @Test
    void everyScopeIsClosedWhereItWasOpened() throws Exception {
        var result = new ChildJvm()
                .flag("-Dio.opentelemetry.context.enableStrictContext=true")
                .run(StrictContextMain.class);
        assertThat(result.output()).contains("no scope is left in StrictContextStorage");
        assertThat(result.exitCode()).isZero();
    }
}
