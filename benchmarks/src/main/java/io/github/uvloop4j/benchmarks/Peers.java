package io.github.uvloop4j.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    private final Predicate<String> wanted;
    private final List<String> pythonOptions;
    private final List<Peer> found = new ArrayList<>();
    private final List<Peer.Skipped> skipped = new ArrayList<>();

    private Peers(Predicate<String> wanted, List<String> pythonOptions) {
        this.wanted = wanted;
        this.pythonOptions = pythonOptions;
    }

    /** The peers of the comparison, at their best settings; both kinds of future only where they are named. */
    static Peers forComparison(Options options) {
        var peers = new Peers(options::wants, List.of());
        peers.addC("c-libuv", "libuv");
        peers.addC("c-epoll", "epoll");
        for (var transport : List.of("epoll", "io_uring", "nio")) {
            peers.add("netty-" + transport.replace('_', '-'), JavaCommand.netty(transport));
        }
        if (options.hasNames()) {
            peers.addFutures();
        }
        peers.addPython();
        return peers;
    }

    /** The peers of the seed table, with the buffer that the published tables are made with. */
    static Peers forSeedTable(Options options) {
        var peers = new Peers(
                name -> options.wants(name) && SeedTable.belongs(name), List.of("--read-size", SeedTable.READ_SIZE));
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

    private void addC(String name, String target) {
        if (!wanted.test(name)) {
            return;
        }
        var build = Command.probe(List.of("make", "--no-print-directory", "-C", C_FOLDER, target));
        if (build.succeeded()) {
            add(name, List.of(C_BINARIES + "echo_" + target));
        } else {
            skipped.add(new Peer.Skipped(name, "it does not compile here: " + build.reason()));
        }
    }

    private void addFutures() {
        add("loopfuture-sockets", JavaCommand.futures("loop-future"));
        add("completablefuture-sockets", JavaCommand.futures("completable-future"));
    }

    private void addPython() {
        // One interpreter for asyncio and uvloop, so that their difference is the loop and nothing else.
        var uvloop = interpreterWith("uvloop");
        var asyncio = uvloop.or(() -> interpreterWith("asyncio"));
        for (var mode : ASYNCIO_MODES) {
            addPython("asyncio-" + mode, "asyncio", asyncio, "echo_asyncio.py", "--mode", mode);
        }
        for (var mode : ASYNCIO_MODES) {
            addPython("uvloop-" + mode, "uvloop", uvloop, "echo_asyncio.py", "--uvloop", "--mode", mode);
        }
        addPython("gevent-sockets", "gevent", interpreterWith("gevent"), "echo_gevent.py");
        var curio = interpreterWith("curio");
        addPython("curio-sockets", "curio", curio, "echo_curio.py", "--mode", "sockets");
        addPython("curio-streams", "curio", curio, "echo_curio.py", "--mode", "streams");
    }

    private void addPython(String name, String module, Optional<String> python, String script, String... options) {
        if (python.isEmpty()) {
            if (wanted.test(name)) {
                skipped.add(new Peer.Skipped(name, "no python3 here can import " + module));
            }
            return;
        }
        var command = new ArrayList<>(List.of(python.get(), "-B", PYTHON_FOLDER + script));
        command.addAll(List.of(options));
        command.addAll(pythonOptions);
        add(name, command);
    }

    private static Optional<String> interpreterWith(String module) {
        return PYTHONS.stream()
                .filter(python -> !python.startsWith("/") || Files.isExecutable(Path.of(python)))
                .filter(python ->
                        Command.probe(List.of(python, "-c", "import " + module)).succeeded())
                .findFirst();
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
            skipped.add(new Peer.Skipped(name, answer.lastLine()));
        }
    }
}
