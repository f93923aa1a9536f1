package io.github.uvloop4j;

import java.util.List;

/**
 * A program that runs on a group of loops: what the command {@code launch} starts. It needs a public class with a public
 * constructor without parameters.
 *
 * {@snippet :
 * public final class Echo implements LoopApplication {
 *     public int run(EventLoopGroup group, List<String> arguments) throws Exception {
 *         group.createServer(EchoProtocol::new, "127.0.0.1", 7000);
 *         group.awaitShutdown();
 *         return 0;
 *     }
 * }
 * }
 */
@FunctionalInterface
public interface LoopApplication {
    /**
     * Runs the program, on a thread that is none of the loops. When it is to stop, the group is shut down, which ends
     * {@link EventLoopGroup#awaitShutdown}; this method is interrupted if it goes on for long after that.
     *
     * @param group the loops; they are shut down when this method returns or throws
     * @param arguments the program's own
     * @return the exit status, 0 to 255
     */
    int run(EventLoopGroup group, List<String> arguments) throws Exception;
}
