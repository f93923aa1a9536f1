package io.github.uvloop4j.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AboardTest {
    @Test
    void aBodyRunsOnAVirtualThreadBeforeTheCallReturns() {
        Assumptions.assumeTrue(Schedulers.available(), Schedulers::reason);
        var threads = new ArrayList<Thread>();
        Aboard.run(() -> threads.add(Thread.currentThread()));
        assertThat(threads).singleElement().satisfies(thread -> {
            assertThat(thread.isVirtual()).isTrue();
            assertThat(thread.getName()).isEqualTo(Thread.currentThread().getName());
        });
    }

    @Test
    void onAVirtualThreadABodyRunsAsItIs() throws Exception {
        var threads = new ArrayList<Thread>();
        var virtual = Thread.ofVirtual().start(() -> Aboard.run(() -> threads.add(Thread.currentThread())));
        virtual.join();
        assertThat(threads).containsExactly(virtual);
    }

    @Test
    void monitorsOfTheCallerStayItsOwn() throws Exception {
        var outer = new Object();
        var inner = new Object();
        var entered = new AtomicInteger();
        var begun = new CountDownLatch(1);
        Thread other;
        synchronized (outer) {
            synchronized (inner) {
                other = Thread.ofPlatform().start(() -> {
                    begun.countDown();
                    synchronized (outer) {
                        entered.incrementAndGet();
                    }
                });
                begun.await();
                for (int i = 0; i < 10_000; i++) {
                    Aboard.run(() -> {
                        synchronized (new Object()) {
                            Thread.onSpinWait();
                        }
                    });
                    assertThat(Thread.holdsLock(outer) && Thread.holdsLock(inner))
                            .isTrue();
                }
                assertThat(entered).hasValue(0);
            }
        }
        other.join();
        assertThat(entered).hasValue(1);
    }
}
