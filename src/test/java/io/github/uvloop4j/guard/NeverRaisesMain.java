package io.github.uvloop4j.guard;

import static io.github.uvloop4j.guard.Checks.check;

import io.github.uvloop4j.EventLoop;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.Currency;
import java.util.HashMap;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntUnaryOperator;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/** What must not raise on a guarded loop, each for the first time in this JVM. */
final class NeverRaisesMain {
    /** Its initialiser reads a file. */
    private static final class ReadsOnce {
        static final long SIZE = size();

        private static long size() {
            try {
                return Files.size(Path.of(System.getProperty("java.home"), "release"));
            } catch (IOException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    private NeverRaisesMain() {}

    public static void main(String[] args) throws Exception {
        var jar = Path.of(args[1]);
        try (var loop = EventLoop.create()) {
            if (args[0].equals("task")) {
                loop.run(() -> guarded(loop, jar));
            } else {
                OnLoop.call(loop, () -> {
                    guarded(loop, jar);
                    return true;
                });
            }
        }
    }

    private static void guarded(EventLoop loop, Path jar) throws Exception {
        try (var guard = BlockingGuard.forThisLoop()) {
            language();
            concurrent();
            security();
            logging();
            jars(jar);
            network();
            threads(loop);
            check("the guard is there", () -> {
                var raised = OnLoop.raisesHere(() -> Files.size(jar));
                if (!raised || guard.count() != 1) {
                    throw new AssertionError("raised " + raised + ", seen " + guard.calls());
                }
            });
        }
    }

    private static void language() {
        check("first lambda", () -> {
            IntUnaryOperator twice = i -> 2 * i;
            twice.applyAsInt(1);
        });
        check(
                "String.format",
                () -> String.format(Locale.FRANCE, "%,.2f %s %tc", 1234.5, "x", System.currentTimeMillis()));
        check("string concatenation", () -> ("a" + System.nanoTime() + 'c').length());
        check(
                "regular expression",
                () -> Pattern.compile("(\\p{L}+)").matcher("word").matches());
        check("static initialiser", () -> {
            if (ReadsOnce.SIZE == 0) {
                throw new AssertionError();
            }
        });
        check("Class.forName", () -> Class.forName("java.util.zip.Deflater"));
        check(
                "date and time",
                () -> ZonedDateTime.now(ZoneId.of("Europe/Paris"))
                        .format(DateTimeFormatter.ofLocalizedDateTime(FormatStyle.FULL)
                                .withLocale(Locale.JAPAN)));
        check("resource bundle", () -> Currency.getInstance("JPY").getDisplayName(Locale.JAPAN));
        check(
                "ServiceLoader",
                () -> ServiceLoader.load(FileSystemProvider.class).stream().count());
        check("HashMap", () -> new HashMap<String, Integer>().merge("a", 1, Integer::sum));
        check("System.out", () -> System.out.println("printed"));
        check("exception with a stack", () -> new Exception("text").printStackTrace());
    }

    private static void concurrent() {
        check("ConcurrentHashMap", () -> new ConcurrentHashMap<String, Integer>().computeIfAbsent("a", String::length));
        check("uncontended ReentrantLock", () -> {
            var lock = new ReentrantLock();
            lock.lock();
            lock.unlock();
        });
        check("uncontended synchronized", () -> {
            synchronized (new Object()) {
                System.nanoTime();
            }
        });
        check("LinkedBlockingDeque.offer and poll", () -> {
            var deque = new LinkedBlockingDeque<Integer>();
            deque.offer(1);
            deque.poll();
        });
        check("take from a queue that has something", () -> {
            var queue = new LinkedTransferQueue<Integer>();
            queue.put(1);
            queue.take();
            var deque = new LinkedBlockingDeque<Integer>();
            deque.put(1);
            deque.take();
        });
        check(
                "join of a complete future",
                () -> CompletableFuture.completedFuture(1).join());
        check(
                "get of a complete future",
                () -> CompletableFuture.completedFuture(1).get(1, TimeUnit.SECONDS));
        check("await of an open latch", () -> new CountDownLatch(0).await());
    }

    private static void security() {
        check("UUID.randomUUID", UUID::randomUUID);
        check("SecureRandom", () -> new SecureRandom().nextLong());
        check("SecureRandom seed", () -> new SecureRandom().generateSeed(8));
    }

    private static void logging() {
        check("System.Logger", () -> System.getLogger("guard").log(System.Logger.Level.WARNING, "said {0}", 1));
        check("java.util.logging", () -> Logger.getLogger("guard.other").warning("said"));
    }

    private static void jars(Path jar) throws Exception {
        check("class from a jar", () -> {
            try (var loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
                loader.loadClass(NeverRaisesMain.class.getName());
            }
        });
        check("resource from a jar", () -> {
            var name = NeverRaisesMain.class.getName().replace('.', '/') + ".class";
            try (InputStream in =
                    URI.create("jar:" + jar.toUri() + "!/" + name).toURL().openStream()) {
                in.readAllBytes();
            }
        });
        check("ZipFile", () -> {
            try (var zip = new ZipFile(jar.toFile())) {
                zip.stream().count();
            }
        });
    }

    private static void network() {
        check("non-blocking sockets", () -> {
            try (var server = ServerSocketChannel.open().bind(Probes.loopback());
                    var client = SocketChannel.open()) {
                server.configureBlocking(false);
                client.configureBlocking(false);
                client.connect(server.getLocalAddress());
                SocketChannel accepted = null;
                while (accepted == null || !client.isConnected()) {
                    accepted = accepted == null ? server.accept() : accepted;
                    client.finishConnect();
                }
                accepted.configureBlocking(false);
                client.write(ByteBuffer.allocate(1));
                accepted.read(ByteBuffer.allocate(1));
                accepted.close();
            }
        });
        check("non-blocking pipe", () -> {
            var pipe = Pipe.open();
            pipe.source().configureBlocking(false);
            pipe.sink().configureBlocking(false);
            pipe.sink().write(ByteBuffer.allocate(1));
            pipe.source().read(ByteBuffer.allocate(1));
            pipe.sink().close();
            pipe.source().close();
        });
        check("Selector.selectNow", () -> {
            try (var selector = Selector.open()) {
                selector.selectNow();
            }
        });
    }

    private static void threads(EventLoop loop) {
        check("start of a thread", () -> Thread.ofPlatform().start(() -> {}));
        check("start of a virtual thread", () -> Thread.ofVirtual().start(() -> {}));
        check("work for a pool", () -> {
            var pool = Executors.newFixedThreadPool(2);
            pool.submit(() -> {});
            pool.shutdown();
        });
        check("work for the common pool", () -> CompletableFuture.runAsync(() -> {}));
        check(
                "runInExecutor",
                () -> loop.runInExecutor(() -> {
                    Thread.sleep(1);
                    return 1;
                }));
        check("timers and tasks of the loop", () -> {
            loop.callLater(Duration.ofMillis(1), () -> {});
            loop.spawn(() -> 1);
        });
        check("Guard.allowing", () -> Guard.allowing(() -> Thread.sleep(1)));
    }
}
