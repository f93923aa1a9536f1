package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who sees which value of a task-local. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskLocalTest {
    private static final TaskLocal<String> WHO = TaskLocal.of("who", "nobody");
    private static final TaskLocal<@Nullable Integer> COUNT = TaskLocal.of("count");

    private final List<Object> seen = new ArrayList<>();

    private void look() {
        seen.add(WHO.get());
    }

    @Test
    void hasItsDefaultAnywhere(EventLoop loop) throws Exception {
        assertThat(WHO.get()).isEqualTo("nobody");
        assertThat(COUNT.get()).isNull();
        loop.run(() -> {
            assertThat(WHO.get()).isEqualTo("nobody");
            assertThat(WHO.isSet()).isFalse();
        });
    }

    @Test
    @Tag("cells")
    void aTaskKeepsItsOwnAcrossAwaits(EventLoop loop) throws Exception {
        loop.run(() -> TaskGroup.run(group -> {
            for (int i = 0; i < 100; i++) {
                var mine = "task " + i;
                group.spawn(() -> {
                    WHO.set(mine);
                    for (int k = 0; k < 3; k++) {
                        var gate = loop.<@Nullable Void>createFuture();
                        loop.callSoon(() -> gate.complete(null));
                        gate.await();
                        assertThat(WHO.get()).isEqualTo(mine);
                    }
                });
            }
        }));
    }

    @Test
    void aChildSeesWhatWasSetBeforeItWasMade(EventLoop loop) throws Exception {
        loop.run(() -> {
            WHO.set("parent");
            var child = loop.spawn(() -> {
                look();
                WHO.set("child");
                look();
            });
            WHO.set("later");
            child.await();
            look();
        });
        assertThat(seen).containsExactly("parent", "child", "later");
    }

    @Test
    void removeGoesBackToTheDefault(EventLoop loop) throws Exception {
        loop.run(() -> {
            WHO.set("a");
            COUNT.set(1);
            WHO.remove();
            WHO.remove();
            assertThat(WHO.isSet()).isFalse();
            assertThat(WHO.get()).isEqualTo("nobody");
            assertThat(COUNT.get()).isEqualTo(1);
            COUNT.set(null);
            assertThat(COUNT.isSet()).isTrue();
        });
    }

    @Test
    void whereRestoresWhatWasThere(EventLoop loop) throws Exception {
        loop.run(() -> {
            WHO.set("outer");
            assertThat(WHO.where("inner", WHO::get)).isEqualTo("inner");
            assertThat(WHO.get()).isEqualTo("outer");
            assertThatThrownBy(() -> COUNT.where(1, () -> {
                        WHO.set("kept");
                        throw new java.io.IOException("x");
                    }))
                    .isInstanceOf(java.io.IOException.class);
            assertThat(COUNT.isSet()).isFalse();
            assertThat(WHO.get()).isEqualTo("kept");
        });
    }

    @Test
    void whereWorksOnAnyThread() throws Exception {
        assertThat(WHO.where("here", () -> {
                    var inner = WHO.get();
                    WHO.set("changed");
                    return inner + ' ' + WHO.get();
                }))
                .isEqualTo("here changed");
        assertThat(WHO.get()).isEqualTo("nobody");
    }

    @Test
    @Tag("cells")
    void callbacksSeeWhatTheirMakerSaw(EventLoop loop) throws Exception {
        loop.run(() -> {
            WHO.set("maker");
            var gate = loop.<@Nullable Void>createFuture();
            loop.callSoon(this::look);
            loop.callLater(Duration.ZERO, this::look);
            loop.callLater(Duration.ofMillis(1), this::look);
            loop.callAt(System.nanoTime() + 2_000_000, () -> {
                look();
                gate.complete(null);
            });
            loop.post(this::look);
            loop.execute(this::look);
            WHO.set("later");
            gate.await();
        });
        assertThat(seen).hasSize(6).containsOnly("maker");
    }

    @Test
    void callbacksOfFuturesSeeWhoAddedThem(EventLoop loop) throws Exception {
        loop.run(() -> {
            var future = loop.<Integer>createFuture();
            WHO.set("adder");
            future.whenDone((value, error) -> look());
            future.onDone(this::look);
            future.then(value -> look());
            var last = future.map(value -> {
                look();
                return value;
            });
            WHO.set("completer");
            future.complete(1);
            last.await();
            look();
        });
        assertThat(seen).containsExactly("adder", "adder", "adder", "adder", "completer");
    }

    @Test
    void whatACallbackSetsStaysWithItAndWhatItStarts(EventLoop loop) throws Exception {
        loop.run(() -> {
            WHO.set("maker");
            var gate = loop.<@Nullable Void>createFuture();
            loop.callSoon(() -> {
                WHO.set("callback");
                loop.callSoon(() -> {
                    look();
                    gate.complete(null);
                });
            });
            loop.callSoon(this::look);
            gate.await();
            look();
        });
        assertThat(seen).containsExactly("maker", "callback", "maker");
    }

    @Test
    void postsFromOtherThreadsBringTheirContext(EventLoop loop) throws Exception {
        var gate = loop.<@Nullable Void>createFuture();
        var thread = CompletableFuture.runAsync(() -> {
            try {
                WHO.where("worker", () -> {
                    loop.post(() -> {
                        look();
                        gate.complete(null);
                    });
                    return null;
                });
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        loop.run(() -> gate.await());
        thread.join();
        assertThat(seen).containsExactly("worker");
    }

    @Test
    void setOnABareThreadSaysWhatToDo(EventLoop loop) {
        assertThatThrownBy(() -> WHO.set("x"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("who")
                .hasMessageContaining("use where");
    }

    @Test
    void aCapturedContextRunsAnywhere(EventLoop loop) throws Exception {
        loop.run(() -> {
            WHO.set("captured");
            var context = Context.capture();
            WHO.set("later");
            assertThat(context.call(WHO::get)).isEqualTo("captured");
            assertThat(CompletableFuture.supplyAsync(() -> {
                                try {
                                    return context.call(WHO::get);
                                } catch (Exception e) {
                                    throw new AssertionError(e);
                                }
                            })
                            .join())
                    .isEqualTo("captured");
            context.run(() -> WHO.set("inside"));
            assertThat(context.call(WHO::get)).isEqualTo("captured");
            var lasting = context.lasting();
            lasting.run(() -> WHO.set("inside"));
            assertThat(lasting.call(WHO::get)).isEqualTo("inside");
        });
    }

    @Test
    void nullsAreRefused() {
        assertThatThrownBy(() -> TaskLocal.of(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> WHO.where("x", null)).hasMessage("body");
        assertThatThrownBy(() -> Context.capture().run(null)).hasMessage("action");
    }
}
