package io.github.uvloop4j.uv;

/** What libuv gained after the oldest version that works. Any thread. */
public enum UvFeature {
    /** {@code uv_metrics_info}. */
    METRICS_INFO(1, 45),
    /** {@code uv_thread_setaffinity} and {@code uv_thread_getaffinity}. */
    THREAD_AFFINITY(1, 45),
    /** {@code uv_pipe_bind2} and {@code uv_pipe_connect2}: abstract names, no truncation. */
    PIPE_NAMES(1, 46),
    /** {@code UV_TCP_REUSEPORT} and {@code UV_UDP_REUSEPORT}. */
    REUSE_PORT(1, 49),
    /** {@code uv_udp_try_send2}. */
    UDP_TRY_SEND2(1, 50),
    /** {@code uv_thread_setname} and {@code uv_thread_getname}. */
    THREAD_NAMES(1, 50);

    private final UvVersion since;

    UvFeature(int major, int minor) {
        this.since = new UvVersion(major, minor, 0);
    }

    /** The version that brought it. */
    public UvVersion since() {
        return since;
    }

    /** Whether the loaded library has it. */
    public boolean isAvailable() {
        return UvVersion.loaded().atLeast(since);
    }

    /**
     * Returns when the loaded library has it.
     *
     * @throws UnsupportedOperationException when it has not; the message names both versions
     */
    public void require() {
        if (!isAvailable()) {
            throw new UnsupportedOperationException(
                    name() + " needs libuv " + since + " or newer; loaded is " + UvVersion.loaded());
        }
    }
}
