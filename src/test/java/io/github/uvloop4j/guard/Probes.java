package io.github.uvloop4j.guard;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;

/** Calls of the JDK that block: none lasts longer than a moment when nothing stops it. */
final class Probes {
    /** One call. */
    interface Probe {
        void run() throws Exception;
    }

    /** In ms: long enough that it is not over before whoever waits has stopped to spin. */
    private static final long LIMIT = Long.getLong("uvloop4j.test.probe", 100);

    private Probes() {}

    /** What parks the calling thread. */
    static Map<String, Probe> parking() throws Exception {
        var probes = new LinkedHashMap<String, Probe>();
        probes.put("sleep(long)", () -> Thread.sleep(1));
        probes.put("sleep(long, int)", () -> Thread.sleep(1, 1));
        probes.put("sleep(Duration)", () -> Thread.sleep(Duration.ofMillis(1)));
        probes.put("TimeUnit.sleep", () -> TimeUnit.MILLISECONDS.sleep(1));
        probes.put("LockSupport.park", Probes::park);
        probes.put("LockSupport.parkNanos", () -> LockSupport.parkNanos(1_000_000));
        probes.put("LockSupport.parkNanos(blocker)", () -> LockSupport.parkNanos("blocker", 1_000_000));
        probes.put("LockSupport.parkUntil", () -> LockSupport.parkUntil(System.currentTimeMillis() + 1));
        probes.put("Object.wait", Probes::waitOnObject);
        probes.put("Thread.join", Probes::join);
        probes.put("CountDownLatch.await", () -> new CountDownLatch(1).await(LIMIT, TimeUnit.MILLISECONDS));
        probes.put("FutureTask.get", () -> timed(() -> new FutureTask<>(() -> 1).get(LIMIT, TimeUnit.MILLISECONDS)));
        probes.put("CompletableFuture.join", () -> soon().join());
        probes.put("CompletableFuture.get", () -> soon().get());
        probes.put("CompletableFuture.get(timed)", () -> soon().get(1, TimeUnit.SECONDS));
        probes.put("ArrayBlockingQueue.poll", () -> new ArrayBlockingQueue<>(1).poll(LIMIT, TimeUnit.MILLISECONDS));
        probes.put("LinkedBlockingQueue.take", Probes::take);
        probes.put("LinkedTransferQueue.poll", () -> new LinkedTransferQueue<>().poll(LIMIT, TimeUnit.MILLISECONDS));
        probes.put("SynchronousQueue.poll", () -> new SynchronousQueue<>().poll(LIMIT, TimeUnit.MILLISECONDS));
        probes.put("Semaphore.acquire", () -> new Semaphore(0).tryAcquire(LIMIT, TimeUnit.MILLISECONDS));
        probes.put("CyclicBarrier.await", () -> timed(() -> new CyclicBarrier(2).await(LIMIT, TimeUnit.MILLISECONDS)));
        probes.put(
                "Phaser.await",
                () -> timed(() -> new Phaser(1).awaitAdvanceInterruptibly(0, LIMIT, TimeUnit.MILLISECONDS)));
        probes.put(
                "Exchanger.exchange", () -> timed(() -> new Exchanger<>().exchange(1, LIMIT, TimeUnit.MILLISECONDS)));
        probes.put("contended ReentrantLock.lock", Probes::lock);
        probes.put("contended StampedLock.writeLock", Probes::writeLock);
        probes.put("Process.waitFor", Probes::waitForProcess);
        probes.put("Selector.select", Probes::select);
        probes.put("Socket.read", Probes::socketRead);
        probes.put("Socket.connect", Probes::socketConnect);
        probes.put("ServerSocket.accept", Probes::accept);
        probes.put("SocketChannel.read", Probes::channelRead);
        probes.put("SocketChannel.connect", Probes::channelConnect);
        probes.put("DatagramChannel.receive", Probes::receive);
        probes.put("Pipe.SourceChannel.read", Probes::pipeRead);
        return probes;
    }

    /** What blocks whoever carries it: files, names, processes. */
    static Map<String, Probe> blocking(Path file) {
        var probes = new LinkedHashMap<String, Probe>();
        probes.put("Files.readString", () -> Files.readString(file));
        probes.put("Files.writeString", () -> Files.writeString(file, "x"));
        probes.put("Files.size", () -> Files.size(file));
        probes.put("Files.list", () -> Files.list(file.getParent()).close());
        probes.put("Files.createTempFile", () -> Files.delete(Files.createTempFile(file.getParent(), "p", ".tmp")));
        probes.put("Files.copy", () -> Files.copy(file, file.resolveSibling("copied")));
        probes.put("FileInputStream.read", () -> read(file));
        probes.put("FileOutputStream.write", () -> write(file));
        probes.put("RandomAccessFile.read", () -> randomRead(file));
        probes.put("FileChannel.read", () -> fileChannelRead(file));
        probes.put("File.length", () -> file.toFile().length());
        probes.put("File.list", () -> file.getParent().toFile().list());
        probes.put("InetAddress.getByName", () -> InetAddress.getByName("localhost"));
        probes.put(
                "InetAddress.getCanonicalHostName",
                () -> InetAddress.getByAddress(new byte[] {127, 0, 0, 1}).getCanonicalHostName());
        probes.put("ProcessBuilder.start", () -> new ProcessBuilder("true").start());
        probes.put("System.in.read", () -> System.in.read());
        return probes;
    }

    private static void park() {
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
    }

    private static CompletableFuture<Integer> soon() {
        return new CompletableFuture<Integer>().completeOnTimeout(1, 3 * LIMIT, TimeUnit.MILLISECONDS);
    }

    private static void take() throws InterruptedException {
        var queue = new LinkedBlockingQueue<Integer>();
        Thread.ofPlatform().start(() -> {
            pause();
            queue.add(1);
        });
        queue.take();
    }

    private static void timed(Probe probe) throws Exception {
        try {
            probe.run();
        } catch (TimeoutException expected) {
            // It has waited.
        }
    }

    private static void waitOnObject() throws InterruptedException {
        var monitor = new Object();
        synchronized (monitor) {
            monitor.wait(1);
        }
    }

    private static void join() throws InterruptedException {
        Thread.ofPlatform().start(Probes::pause).join();
    }

    private static void pause() {
        try {
            Thread.sleep(3 * LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void lock() throws Exception {
        var lock = new ReentrantLock();
        var held = holding(lock::lock, lock::unlock);
        try {
            lock.lock();
            lock.unlock();
        } finally {
            held.complete(null);
        }
    }

    private static void writeLock() throws Exception {
        var lock = new StampedLock().asWriteLock();
        var held = holding(lock::lock, lock::unlock);
        try {
            lock.lock();
            lock.unlock();
        } finally {
            held.complete(null);
        }
    }

    /** Has another thread hold a lock until the future is complete, or for a moment. */
    private static CompletableFuture<Void> holding(Runnable lock, Runnable unlock) {
        var end = new CompletableFuture<Void>().completeOnTimeout(null, 5 * LIMIT, TimeUnit.MILLISECONDS);
        var held = new AtomicBoolean();
        Thread.ofPlatform().start(() -> {
            lock.run();
            held.set(true);
            end.join();
            unlock.run();
        });
        while (!held.get()) {
            Thread.onSpinWait();
        }
        return end;
    }

    private static void waitForProcess() throws Exception {
        var child = Guard.allowing(() -> new ProcessBuilder("cat").start());
        try {
            child.waitFor(LIMIT, TimeUnit.MILLISECONDS);
        } finally {
            child.destroy();
        }
    }

    private static void select() throws Exception {
        try (var selector = Selector.open()) {
            selector.select(1);
        }
    }

    private static void socketRead() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var socket = new Socket()) {
            Guard.allowing(() -> socket.connect(server.getLocalSocketAddress()));
            socket.setSoTimeout(1);
            try {
                socket.getInputStream().read();
            } catch (SocketTimeoutException expected) {
                // It has waited.
            }
        }
    }

    private static void socketConnect() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var socket = new Socket()) {
            socket.connect(server.getLocalSocketAddress());
        }
    }

    private static void accept() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(1);
            try {
                server.accept();
            } catch (SocketTimeoutException expected) {
                // It has waited.
            }
        }
    }

    private static void channelRead() throws Exception {
        try (var server = ServerSocketChannel.open().bind(loopback());
                var channel = SocketChannel.open()) {
            Guard.allowing(() -> {
                channel.connect(server.getLocalAddress());
            });
            channel.shutdownInput();
            channel.read(ByteBuffer.allocate(1));
        }
    }

    private static void channelConnect() throws Exception {
        try (var server = ServerSocketChannel.open().bind(loopback());
                var channel = SocketChannel.open()) {
            channel.connect(server.getLocalAddress());
        }
    }

    private static void receive() throws Exception {
        try (var channel = DatagramChannel.open().bind(loopback())) {
            channel.send(ByteBuffer.allocate(1), channel.getLocalAddress());
            channel.receive(ByteBuffer.allocate(1));
        }
    }

    private static void pipeRead() throws Exception {
        var pipe = Pipe.open();
        try (var source = pipe.source()) {
            pipe.sink().close();
            source.read(ByteBuffer.allocate(1));
        }
    }

    static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static void read(Path file) throws Exception {
        try (var in = Guard.allowing(() -> new FileInputStream(file.toFile()))) {
            in.read();
        }
    }

    private static void write(Path file) throws Exception {
        try (var out = Guard.allowing(() -> new FileOutputStream(file.toFile()))) {
            out.write(1);
        }
    }

    private static void randomRead(Path file) throws Exception {
        try (var in = Guard.allowing(() -> new RandomAccessFile(file.toFile(), "r"))) {
            in.read();
        }
    }

    private static void fileChannelRead(Path file) throws Exception {
        try (var in = Guard.allowing(() -> FileChannel.open(file, StandardOpenOption.READ))) {
            in.read(ByteBuffer.allocate(1));
        }
    }
}
