package io.github.uvloop4j.testing;

/** What user code may throw out of a callback. */
public enum Thrown {
    RUNTIME(IllegalStateException.class) {
        @Override
        public void explode() {
            throw new IllegalStateException("thrown by a callback");
        }
    },
    ERROR(AssertionError.class) {
        @Override
        public void explode() {
            throw new AssertionError("thrown by a callback");
        }
    },
    OVERFLOW(StackOverflowError.class) {
        @Override
        public void explode() {
            depth(1);
        }

        @SuppressWarnings("InfiniteRecursion")
        private static int depth(int known) {
            return 1 + depth(known + 1);
        }
    },
    /** For a heap of less than 2 GiB. */
    MEMORY(OutOfMemoryError.class) {
        @Override
        public void explode() {
            kept = new byte[Integer.MAX_VALUE - 8];
        }
    };

    private static volatile Object kept = "";

    private final Class<? extends Throwable> type;

    Thrown(Class<? extends Throwable> type) {
        this.type = type;
    }

    /** Throws. */
    public abstract void explode();

    /** Whether it was this that was thrown. */
    public boolean isKindOf(Throwable thrown) {
        return type.isInstance(thrown);
    }
}
