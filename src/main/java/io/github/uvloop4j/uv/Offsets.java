package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;

/**
 * The fields, beside {@code data}, that are read at their place in the struct. The write queue's size of a handle, for
 * every write: that it is there is checked once, on a handle whose field is given a value. The answers of look-ups that
 * had no callback, which libuv has no function for: that they are there is checked by the size of the request.
 */
final class Offsets {
    /** Where {@code data} is, in handles and requests alike. */
    static final long DATA = 0;

    private static final long WRITE_QUEUE_SIZE = 96;
    private static final long PROBE = 0x5ca1ab1eL;
    private static final long ADDRINFO = 144;
    private static final long ADDRINFO_REQUEST = 160;
    private static final long HOST = 252;
    private static final long SERVICE = 1277;
    private static final long NAMEINFO_REQUEST = 1320;

    private Offsets() {}

    /** Throws when the loaded library has another layout. */
    static void verify() {
        Checked.run();
    }

    static long writeQueueSize(long stream) {
        return Memory.getLong(stream + WRITE_QUEUE_SIZE);
    }

    /** The first of the answers in a {@code uv_getaddrinfo_t}. */
    static long addrinfo(long request) {
        checkSize(uv.UV_GETADDRINFO(), ADDRINFO_REQUEST);
        return Memory.getLong(request + ADDRINFO);
    }

    /** Where the host is in a {@code uv_getnameinfo_t}. */
    static long host(long request) {
        checkSize(uv.UV_GETNAMEINFO(), NAMEINFO_REQUEST);
        return request + HOST;
    }

    /** Where the service is in a {@code uv_getnameinfo_t}. */
    static long service(long request) {
        checkSize(uv.UV_GETNAMEINFO(), NAMEINFO_REQUEST);
        return request + SERVICE;
    }

    private static void checkSize(int type, long size) {
        if (uv.uv_req_size(type) != size) {
            throw unknownLayout("requests");
        }
    }

    private static UnsatisfiedLinkError unknownLayout(String what) {
        return new UnsatisfiedLinkError("libuv " + UvVersion.loaded() + " from " + UvVersion.origin() + " lays out its "
                + what + " in a way that is not known here");
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
                    throw unknownLayout("handles");
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
