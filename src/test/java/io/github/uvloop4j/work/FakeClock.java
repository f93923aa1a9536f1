package io.github.uvloop4j.work;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Time that passes only when a call says so. */
final class FakeClock implements LongSupplier {
    private final AtomicLong now = new AtomicLong(-7);

    @Override
    public long getAsLong() {
        return now.get();
    }

    void pass(long micros) {
        now.addAndGet(micros * 1_000);
    }
}
