package io.github.uvloop4j.dns;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/** The resolvers that come with the library. Any thread. */
public final class Resolvers {
    private Resolvers() {}

    /**
     * The JDK's resolver, with its settings and its cache, on daemon threads: the default. At most 64 look-ups run at a
     * time, the others queue. One that hangs keeps one of these threads, and nothing else: no loop, no file, not the end
     * of the JVM. All that ask for it share it.
     */
    public static Resolver jdk() {
        return JdkResolver.SHARED;
    }

    /**
     * As {@link #jdk()}, with threads of its own.
     *
     * @param threads how many look-ups run at a time, 1 or more
     */
    public static Resolver jdk(int threads) {
        return new JdkResolver(new LookUpThreads(threads));
    }

    /**
     * The C library's resolver on libuv's pool of threads, which all loops and files of the process share. A look-up that
     * hangs keeps one of its threads (4, unless UV_THREADPOOL_SIZE says otherwise); look-ups may take half of them, and
     * further ones wait. It cannot be cancelled once it runs: it is given up at once, but goes on, and the process cannot
     * end before it is over, since libuv waits for its threads then. Closing a loop does not wait for it.
     */
    public static Resolver libuv() {
        return LibuvResolver.SHARED;
    }

    /**
     * Knows some hosts and no others.
     *
     * @param hosts the addresses of each, one at least; names in any case
     */
    public static Resolver fixed(Map<String, ? extends Collection<InetAddress>> hosts) {
        return new FixedResolver(hosts, null);
    }

    /** Knows some hosts, and asks another resolver for all others. */
    public static Resolver fixed(Map<String, ? extends Collection<InetAddress>> hosts, Resolver others) {
        return new FixedResolver(hosts, others);
    }

    /**
     * Remembers what another resolver finds, and asks it once for those who want the same at the same time. When it is
     * full, the answer that nobody wanted for the longest time goes.
     *
     * @param maxEntries how many answers it holds, 1 or more
     * @param ttl how long it holds an answer, more than zero
     * @param negativeTtl how long it remembers that there is no such host; zero for not at all. What libuv's
     *     resolver calls temporary is not remembered; the JDK's does not tell that apart
     */
    public static CachingResolver caching(Resolver source, int maxEntries, Duration ttl, Duration negativeTtl) {
        return new CachingResolver(source, maxEntries, ttl, negativeTtl, System::nanoTime);
    }
}
