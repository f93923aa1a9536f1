package io.github.uvloop4j.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds out which peers can run on this machine. Each is asked for its versions in just the way it will be started, so
 * a peer that answers can be measured.
 */
final class Peers {
    private static final String PYTHON_FOLDER = "benchmarks/peers/python/";
    private static final String C_FOLDER = "benchmarks/peers/c";
    private static final String C_BINARIES = "benchmarks/target/peers/";
    private static final List<String> PYTHONS = List.of("/usr/bin/python3", "python3");
    private static final List<String> ASYNCIO_MODES = List.of("protocol", "buffered", "streams", "sockets");
    private static final List<String> KEY_FILES = List.of("--cert", "{cert}", "--key", "{key}");

    private final Predicate<String> wanted;
    private final String over;
    private final List<String> pythonOptions;
    private final List<Peer> found = new ArrayList<>();
    private final List<Peer.Skipped> skipped = new ArrayList<>();

    private Peers(Predicate<String> wanted, String over, List<String> pythonOptions) {
        this.wanted = wanted;
        this.over = over;
        this.pythonOptions = pythonOptions;
    }

    /** The peers of the comparison, at their best settings; both kinds of future only where they are named. */
    static Peers forComparison(Options options) {
        var peers = new Peers(options::wants, options.over(), List.of());
        peers.addC();
        peers.addNetty();
        if (options.hasNames()) {
            peers.addFutures();
        }
        peers.addPython();
        return peers;
    }

    /** The peers of the seed table, with the buffer that the published tables are made with. */
    static Peers forSeedTable(Options options) {
        var peers = new Peers(
                name -> options.wants(name) && SeedTable.belongs(name),
                "tcp",
                List.of("--read-size", SeedTable.READ_SIZE));
        peers.addFutures();
        peers.addPython();
        return peers;
    }

    List<Peer> found() {
        return List.copyOf(found);
    }

    List<Peer.Skipped> skipped() {
        return List.copyOf(skipped);
    }

    private void addC() {
        if (over.equals("udp")) {
            addC("c-libuv", "libuv_udp");
            addC("c-libuv-batch", "libuv_udp", "--batch");
        } else {
            addOver(Set.of("tcp", "unix"), "c-libuv", () -> addC("c-libuv", "libuv"));
        }
        addOver(Set.of("tcp", "unix"), "c-epoll", () -> addC("c-epoll", "epoll"));
    }

    private void addC(String name, String target, String... options) {
        if (!wanted.test(name)) {
            return;
        }
        var build = Command.probe(List.of("make", "--no-print-directory", "-C", C_FOLDER, target));
        if (build.succeeded()) {
            var command = new ArrayList<>(List.of(C_BINARIES + "echo_" + target));
            command.addAll(List.of(options));
            add(name, command);
        } else {
            skip(name, "it does not compile here: " + build.reason());
        }
    }

    private void addNetty() {
        var options = new ArrayList<>(List.of("--over", over));
        for (var transport : List.of("epoll", "io_uring", "nio")) {
            var name = "netty-" + transport.replace('_', '-');
            if (over.equals("tls")) {
                addNetty(name, transport, "jdk");
                addNetty(name + "-openssl", transport, "openssl");
            } else {
                add(name, JavaCommand.netty(transport, options));
            }
        }
    }

    private void addNetty(String name, String transport, String engine) {
        var options = new ArrayList<>(List.of("--tls", engine));
        options.addAll(KEY_FILES);
        add(name, JavaCommand.netty(transport, options));
    }

    private void addFutures() {
        var tcp = Set.of("tcp");
        addOver(tcp, "loopfuture-sockets", () -> add("loopfuture-sockets", JavaCommand.futures("loop-future")));
        addOver(
                tcp,
                "completablefuture-sockets",
                () -> add("completablefuture-sockets", JavaCommand.futures("completable-future")));
    }

    private void addPython() {
        // One interpreter for asyncio and uvloop, so that their difference is the loop and nothing else.
        var uvloop = interpreterWith("uvloop");
        var asyncio = uvloop.or(() -> interpreterWith("asyncio"));
        for (var mode : over.equals("udp") ? List.of("datagram") : ASYNCIO_MODES) {
            var possible = mode.equals("sockets") ? Set.of("tcp", "unix") : Set.of(over);
            addOver(
                    possible,
                    "asyncio-" + mode,
                    () -> addPython("asyncio-" + mode, "asyncio", asyncio, "echo_asyncio.py", "--mode", mode));
            addOver(
                    possible,
                    "uvloop-" + mode,
                    () -> addPython("uvloop-" + mode, "uvloop", uvloop, "echo_asyncio.py", "--uvloop", "--mode", mode));
        }
        var tcp = Set.of("tcp");
        addOver(
                tcp,
                "gevent-sockets",
                () -> addPython("gevent-sockets", "gevent", interpreterWith("gevent"), "echo_gevent.py"));
        for (var mode : List.of("sockets", "streams")) {
            addOver(
                    tcp,
                    "curio-" + mode,
                    () -> addPython(
                            "curio-" + mode, "curio", interpreterWith("curio"), "echo_curio.py", "--mode", mode));
        }
    }

    private void addPython(String name, String module, Optional<String> python, String script, String... options) {
        if (python.isEmpty()) {
            if (wanted.test(name)) {
                skip(name, "no python3 here can import " + module);
            }
            return;
        }
        var command = new ArrayList<>(List.of(python.get(), "-B", PYTHON_FOLDER + script));
        command.addAll(List.of(options));
        command.addAll(pythonOptions);
        if (over.equals("tls")) {
            command.addAll(KEY_FILES);
        }
        add(name, command);
    }

    private static Optional<String> interpreterWith(String module) {
        return PYTHONS.stream()
                .filter(python -> !python.startsWith("/") || Files.isExecutable(Path.of(python)))
                .filter(python ->
                        Command.probe(List.of(python, "-c", "import " + module)).succeeded())
                .findFirst();
    }

    /** Adds a peer where it can be reached so, and says otherwise that it cannot. */
    private void addOver(Set<String> possible, String name, Runnable adding) {
        if (possible.contains(over)) {
            adding.run();
        } else if (wanted.test(name)) {
            skip(name, "not written for --over " + over);
        }
    }

    private void skip(String name, String reason) {
        skipped.add(new Peer.Skipped(name, reason));
    }

    private void add(String name, List<String> command) {
        if (!wanted.test(name)) {
            return;
        }
        var question = new ArrayList<>(command);
        question.add("--version");
        var answer = Command.probe(question);
        if (answer.succeeded()) {
            found.add(new Peer(name, command, answer.lastLine()));
        } else {
            skip(name, answer.lastLine());
        }
    }
}
