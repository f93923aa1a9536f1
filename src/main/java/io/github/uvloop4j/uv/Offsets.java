package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;

/**
 * The one field of a handle, beside {@code data}, that is read at its place in the struct: the write queue's size, for
 * every write. That it is there is checked once, on a handle whose field is given a value.
 */
final class Offsets {
    /** Where {@code data} is, in handles and requests alike. */
    static final long DATA = 0;

    private static final long WRITE_QUEUE_SIZE = 96;
    private static final long PROBE = 0x5ca1ab1eL;

    private Offsets() {}

    /** Throws when the loaded library has another layout. */
    static void verify() {
        Checked.run();
    }

    static long writeQueueSize(long stream) {
        return Memory.getLong(stream + WRITE_QUEUE_SIZE);
    }

    private static final class Checked {
        static {
            long probe = Memory.allocate(uv.uv_handle_size(uv.UV_TCP()));
            try {
                Memory.putLong(probe + WRITE_QUEUE_SIZE, PROBE);
                Memory.putLong(probe + DATA, PROBE + 1);
                boolean same = uv.uv_stream_get_write_queue_size(Memory.at(probe)) == PROBE
                        && uv.uv_handle_get_data(Memory.at(probe)).address() == PROBE + 1;
                if (!same) {
                    throw new UnsatisfiedLinkError("libuv " + UvVersion.loaded() + " from " + UvVersion.origin()
                            + " lays out its handles in a way that is not known here");
                }
            } finally {
                Memory.free(probe);
            }
        }

        private Checked() {}

        static void run() {
            // Loading the class does it.
        }
    }
}
