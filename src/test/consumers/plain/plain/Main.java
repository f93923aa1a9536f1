package plain;

import io.github.uvloop4j.EventLoop;
import java.nio.file.Files;
import java.nio.file.Path;

/** Uses the library from the class path. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        try (var loop = EventLoop.create()) {
            loop.run(() -> System.out.println("task ran: " + loop.inLoop()));
        }
        try (var maps = Files.lines(Path.of("/proc/self/maps"))) {
            var packed = maps.anyMatch(line -> line.contains("/uvloop4j-") && line.contains("/libuv.so.1"));
            System.out.println("packed libuv: " + packed);
        }
    }
}
