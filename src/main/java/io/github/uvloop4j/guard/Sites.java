package io.github.uvloop4j.guard;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The methods of the JDK that get a hook. Facts about them:
 *
 * <ul>
 *   <li>Native methods have no entry: what wraps them is hooked.
 *   <li>A lock that is contended parks, and leaves its queue when that throws. Conditions, stamped locks, exchangers and
 *       hand-over queues would leave a waiter behind that gets a value or a signal, so that they are hooked above.
 *   <li>A future that is complete does not block: only what waits is hooked, not {@code get} and {@code join}.
 * </ul>
 */
final class Sites {
    /** Whose thread a call blocks, and what its hook looks at first. */
    enum Kind {
        /** The calling thread: a task only parks. */
        PARK,
        /** The same, unless its first long, a time to wait, is not positive. */
        TIMED,
        /** The same, given its object. */
        PARK_ON,
        /** The same, of a channel, if that is in blocking mode. */
        CHANNEL,
        /** The carrier: a task blocks it too. */
        BLOCK,
        /** The same, given its object. */
        BLOCK_ON
    }

    /**
     * A method, or all overloads of a name.
     *
     * @param descriptor how the descriptor begins
     * @param blocks of those that are given their object, whether it would block
     */
    record Site(
            int id,
            String className,
            String method,
            String descriptor,
            Kind kind,
            @Nullable Predicate<Object> blocks) {
        String name() {
            return className + '.' + method;
        }

        boolean matches(String name, String type) {
            return method.equals(name) && type.startsWith(descriptor);
        }
    }

    private static final String FILES = "sun.nio.fs.UnixNativeDispatcher";
    private static final String DISPATCHER = "sun.nio.ch.UnixFileDispatcherImpl";

    private static final List<Site> ALL = new ArrayList<>();
    private static final Map<String, List<Site>> BY_CLASS = new LinkedHashMap<>();

    static {
        threads();
        concurrent();
        files();
        channels();
        network();
        processes();
    }

    private Sites() {}

    static List<Site> all() {
        return Collections.unmodifiableList(ALL);
    }

    /** By the name of the class. */
    static Map<String, List<Site>> byClass() {
        return Collections.unmodifiableMap(BY_CLASS);
    }

    static Site of(int id) {
        return ALL.get(id);
    }

    private static void threads() {
        add(Kind.PARK, "java.lang.Thread", "sleepNanos");
        add(Kind.PARK, "java.lang.Object", "wait(J)");
        add(Kind.PARK, "java.util.concurrent.locks.LockSupport", "park", "parkUntil");
        add(Kind.TIMED, "java.util.concurrent.locks.LockSupport", "parkNanos");
    }

    private static void concurrent() {
        for (var synchronizer : List.of("AbstractQueuedSynchronizer", "AbstractQueuedLongSynchronizer")) {
            var condition = "java.util.concurrent.locks." + synchronizer + "$ConditionObject";
            add(Kind.PARK, condition, "await()", "awaitUntil", "awaitUninterruptibly");
            add(Kind.TIMED, condition, "await(J", "awaitNanos");
        }
        add(Kind.PARK, "java.util.concurrent.locks.StampedLock", "acquireRead", "acquireWrite");
        add(Kind.PARK, "java.util.concurrent.CompletableFuture", "waitingGet");
        add(Kind.TIMED, "java.util.concurrent.CompletableFuture", "timedGet");
        add(Kind.PARK, "java.util.concurrent.Exchanger", "exchange");
        add(Kind.PARK, "java.util.concurrent.SynchronousQueue", "put", "take");
        add(Kind.TIMED, "java.util.concurrent.SynchronousQueue", "offer(Ljava/lang/Object;J", "poll(J");
        var transfers = "java.util.concurrent.LinkedTransferQueue";
        on(Kind.PARK_ON, Sites::isEmpty, transfers, "take", "poll(J");
        on(Kind.PARK_ON, Sites::hasNoConsumer, transfers, "transfer", "tryTransfer(Ljava/lang/Object;J");
    }

    private static void files() {
        add(Kind.BLOCK, "java.io.FileInputStream", "open", "read");
        add(Kind.BLOCK, "java.io.FileOutputStream", "open");
        on(Kind.BLOCK_ON, Sites::isNoStandardStream, "java.io.FileOutputStream", "write");
        add(Kind.BLOCK, "java.io.RandomAccessFile", "open", "read(", "readBytes", "write(I)", "writeBytes([BII)");
        add(Kind.BLOCK, "java.io.UnixFileSystem", "canonicalize", "getBooleanAttributes", "hasBooleanAttributes");
        add(Kind.BLOCK, "java.io.UnixFileSystem", "checkAccess", "getLastModifiedTime", "getLength", "setPermission");
        add(Kind.BLOCK, "java.io.UnixFileSystem", "createFileExclusively", "delete", "list(", "createDirectory");
        add(Kind.BLOCK, "java.io.UnixFileSystem", "rename", "setLastModifiedTime", "setReadOnly", "getSpace");
        add(Kind.BLOCK, FILES, "open", "openat", "read", "write", "access", "opendir", "readdir", "statvfs");
        add(Kind.BLOCK, FILES, "stat", "stat2", "lstat", "fstatat", "readlink", "realpath", "link", "symlink", "mknod");
        add(
                Kind.BLOCK,
                FILES,
                "unlink",
                "unlinkat",
                "rename",
                "renameat",
                "mkdir",
                "rmdir",
                "chown",
                "lchown",
                "chmod");
        add(Kind.BLOCK, DISPATCHER, "read", "readv", "pread", "write", "writev", "pwrite", "force", "truncate", "lock");
        add(Kind.BLOCK, "sun.nio.ch.FileDispatcherImpl", "transferTo", "transferFrom");
    }

    private static void channels() {
        add(Kind.PARK, "sun.nio.ch.SelectorImpl", "select");
        add(Kind.CHANNEL, "sun.nio.ch.SocketChannelImpl", "read", "write", "connect", "finishConnect");
        add(Kind.PARK, "sun.nio.ch.SocketChannelImpl", "blockingConnect", "blockingRead", "blockingWriteFully");
        add(Kind.CHANNEL, "sun.nio.ch.ServerSocketChannelImpl", "accept");
        add(Kind.PARK, "sun.nio.ch.ServerSocketChannelImpl", "blockingAccept");
        add(Kind.CHANNEL, "sun.nio.ch.DatagramChannelImpl", "read", "receive(Ljava/nio/ByteBuffer;)");
        add(Kind.PARK, "sun.nio.ch.DatagramChannelImpl", "blockingReceive");
        add(Kind.CHANNEL, "sun.nio.ch.SourceChannelImpl", "read");
        add(Kind.CHANNEL, "sun.nio.ch.SinkChannelImpl", "write");
    }

    private static void network() {
        add(Kind.PARK, "sun.nio.ch.NioSocketImpl", "read", "write", "connect(Ljava/net/SocketAddress;", "accept");
        add(Kind.BLOCK, "java.net.InetAddress", "getAddressesFromNameService", "getHostFromNameService");
        add(Kind.BLOCK, "java.net.InetAddress", "isReachable(Ljava/net/NetworkInterface;");
    }

    /** Waiting for a process waits for a condition. */
    private static void processes() {
        add(Kind.BLOCK, "java.lang.ProcessImpl", "start");
    }

    private static void add(Kind kind, String className, String... methods) {
        on(kind, null, className, methods);
    }

    private static void on(Kind kind, @Nullable Predicate<Object> blocks, String className, String... methods) {
        for (var method : methods) {
            int end = method.indexOf('(');
            var name = end < 0 ? method : method.substring(0, end);
            var site = new Site(ALL.size(), className, name, end < 0 ? "(" : method.substring(end), kind, blocks);
            ALL.add(site);
            BY_CLASS.computeIfAbsent(className, _ -> new ArrayList<>()).add(site);
        }
    }

    /** Printing is no reason to raise. */
    private static boolean isNoStandardStream(Object stream) {
        try {
            var descriptor = ((FileOutputStream) stream).getFD();
            return descriptor != FileDescriptor.out && descriptor != FileDescriptor.err;
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean isEmpty(Object queue) {
        return ((LinkedTransferQueue<?>) queue).peek() == null;
    }

    private static boolean hasNoConsumer(Object queue) {
        return !((LinkedTransferQueue<?>) queue).hasWaitingConsumer();
    }
}
