package io.github.uvloop4j.cli;

import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.LoopApplication;
import io.github.uvloop4j.examples.EchoProtocol;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** What {@link LaunchTest} launches. */
public final class LaunchedApps {
    private LaunchedApps() {}

    /** Prints its arguments, and returns the first as its status. */
    public static final class Status implements LoopApplication {
        /** For the launcher. */
        public Status() {}

        @Override
        public int run(EventLoopGroup group, List<String> arguments) {
            System.out.println("processors " + Runtime.getRuntime().availableProcessors());
            arguments.forEach(argument -> System.out.println("argument " + argument));
            return Integer.parseInt(arguments.getFirst());
        }
    }

    /** Ignores that it is to stop. */
    public static final class Stubborn implements LoopApplication {
        /** For the launcher. */
        public Stubborn() {}

        @Override
        public int run(EventLoopGroup group, List<String> arguments) {
            System.out.println("up");
            while (true) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }
        }
    }

    /** Has a constructor that only it can call. */
    public static final class Closed implements LoopApplication {
        private Closed() {}

        @Override
        public int run(EventLoopGroup group, List<String> arguments) {
            return 0;
        }
    }

    /** A server with a main method, and without a word about its end. */
    public static final class Server {
        private Server() {}

        /** Serves. */
        public static void main(String[] args) throws Exception {
            System.out.println("arguments " + List.of(args) + ' ' + System.getProperty("color"));
            var group = EventLoopGroup.create();
            var server = group.createServer(EchoProtocol::new, "127.0.0.1", 0);
            System.out.println("listening on 127.0.0.1:" + server.port());
        }
    }

    /** The short main method of Java 25. */
    public static class Short {
        void main() {
            System.out.println("short");
            System.exit(5);
        }
    }
}
