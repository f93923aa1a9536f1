package io.github.uvloop4j.benchmarks;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The commands that start servers and tools in JVMs of their own, on the JDK that runs this one. */
final class JavaCommand {
    /** What Netty's manual asks for on current JDKs, and its checks for leaks and freed buffers switched off. */
    private static final List<String> NETTY_FLAGS = List.of(
            "--sun-misc-unsafe-memory-access=allow",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Dio.netty.leakDetection.level=disabled",
            "-Dio.netty.buffer.checkBounds=false",
            "-Dio.netty.buffer.checkAccessible=false");

    /** Lets tasks ride on the loop thread. */
    private static final List<String> TASK_FLAGS = List.of("--add-opens=java.base/java.lang=ALL-UNNAMED");

    private JavaCommand() {}

    static List<String> netty(String transport, List<String> options) {
        var arguments = new ArrayList<>(List.of("--transport", transport));
        arguments.addAll(options);
        return own("io.github.uvloop4j.benchmarks.peers.NettyEcho", NETTY_FLAGS, arguments);
    }

    static List<String> nettyHttp(String transport) {
        return own("io.github.uvloop4j.benchmarks.peers.NettyHttp", NETTY_FLAGS, List.of("--transport", transport));
    }

    /** The HTTP server of the examples. */
    static List<String> exampleHttp() {
        return own("io.github.uvloop4j.benchmarks.peers.ExampleHttp", TASK_FLAGS, List.of());
    }

    /** The echo server whose operations return a kind of future. */
    static List<String> futures(String kind) {
        return own("io.github.uvloop4j.benchmarks.peers.FutureEcho", TASK_FLAGS, List.of("--mode", kind));
    }

    static List<String> jar(Path jar, List<String> arguments) {
        var words = new ArrayList<>(List.of(java(), "-jar", jar.toString()));
        words.addAll(arguments);
        return words;
    }

    private static List<String> own(String main, List<String> flags, List<String> arguments) {
        var words = new ArrayList<>(List.of(java(), "--enable-native-access=ALL-UNNAMED"));
        words.addAll(flags);
        words.add("-cp");
        words.add(ownClassPath());
        words.add(main);
        words.addAll(arguments);
        return words;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The jar this class came from; started from a folder of classes, the whole class path. */
    private static String ownClassPath() {
        try {
            var origin = Path.of(JavaCommand.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return origin.toString().endsWith(".jar") ? origin.toString() : System.getProperty("java.class.path");
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
