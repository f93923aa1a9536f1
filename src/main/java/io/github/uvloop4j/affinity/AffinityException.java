package io.github.uvloop4j.affinity;

import org.jspecify.annotations.Nullable;

/** A thread cannot be given the CPUs that were asked for. The message has all the sets, and why. */
public final class AffinityException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final transient CpuSet asked;
    private final transient CpuSet allowed;
    private final transient CpuSet online;

    AffinityException(CpuSet asked, CpuSet allowed, CpuSet online, String why, @Nullable Throwable cause) {
        super(message(asked, allowed, online, why), cause);
        this.asked = asked;
        this.allowed = allowed;
        this.online = online;
    }

    private static String message(CpuSet asked, CpuSet allowed, CpuSet online, String why) {
        return why + "; CPUs asked: " + text(asked) + ", allowed: " + text(allowed) + ", online: " + text(online)
                + ", dropped: " + text(asked.minus(allowed));
    }

    private static String text(CpuSet cpus) {
        return cpus.isEmpty() ? "none" : cpus.toString();
    }

    /** The CPUs that were asked for; empty when CPUs were only to be read. */
    public CpuSet asked() {
        return asked;
    }

    /** The CPUs that this process may use, as far as they are known. */
    public CpuSet allowed() {
        return allowed;
    }

    /** The CPUs that are on, as far as they are known. */
    public CpuSet online() {
        return online;
    }

    /** The CPUs that were asked for and are not allowed. */
    public CpuSet dropped() {
        return asked.minus(allowed);
    }
}
