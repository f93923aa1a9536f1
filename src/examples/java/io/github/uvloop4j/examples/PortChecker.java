package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Combine;
import io.github.uvloop4j.concurrent.Timeout;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** Tells which TCP ports of a host accept connections; many are tried at a time, each with a time limit. */
public final class PortChecker {
    private static final String USAGE = """
            usage: PortChecker HOST PORTS [--limit N] [--timeout MS]
              PORTS    such as 22,80,8000-8100
              --limit  how many are tried at a time (default 100)
              --timeout  how long one may take, in ms (default 1000)""";

    private record Answer(int port, String state) {
        boolean isOpen() {
            return state.equals("open");
        }
    }

    private final EventLoop loop;
    private final Duration timeout;

    private PortChecker(EventLoop loop, Duration timeout) {
        this.loop = loop;
        this.timeout = timeout;
    }

    /** Prints the open ports, and how many of the others refused or kept silent. */
    public static void main(String[] args) throws Exception {
        if (args.length < 2 || args.length % 2 != 0) {
            System.err.println(USAGE);
            System.exit(2);
        }
        int limit = option(args, "--limit", 100);
        var timeout = Duration.ofMillis(option(args, "--timeout", 1_000));
        EventLoop.run(loop -> {
            var address =
                    loop.runInExecutor(() -> InetAddress.getByName(args[0])).await();
            var checker = new PortChecker(loop, timeout);
            var answers = Combine.mapConcurrently(
                    limit, ports(args[1]), port -> checker.check(address.getHostAddress(), port));
            print(answers);
        });
    }

    private static int option(String[] args, String name, int standard) {
        int at = Arrays.asList(args).indexOf(name);
        return at < 0 ? standard : Integer.parseInt(args[at + 1]);
    }

    /** The ports of a list of numbers and ranges, which are drawn one by one. */
    private static Iterable<Integer> ports(String list) {
        return () -> Arrays.stream(list.split(","))
                .map(part -> part.split("-"))
                .flatMapToInt(ends ->
                        IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1])))
                .iterator();
    }

    private Answer check(String host, int port) throws Exception {
        try {
            Timeout.after(timeout)
                    .run(limit -> loop.net().openConnection(host, port).close());
            return new Answer(port, "open");
        } catch (TimeoutException late) {
            return new Answer(port, "silent");
        } catch (ConnectException refused) {
            return new Answer(port, "closed");
        } catch (IOException error) {
            return new Answer(port, "failed: " + error.getMessage());
        }
    }

    private static void print(List<Answer> answers) {
        answers.stream()
                .filter(answer ->
                        !answer.state().equals("closed") && !answer.state().equals("silent"))
                .forEach(answer -> System.out.println(answer.port() + " " + answer.state()));
        long open = answers.stream().filter(Answer::isOpen).count();
        long silent = answers.stream()
                .filter(answer -> answer.state().equals("silent"))
                .count();
        System.out.println(open + " of " + answers.size() + " ports are open, " + silent + " did not answer");
    }
}
