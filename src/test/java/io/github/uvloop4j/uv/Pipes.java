package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.libc;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the tests of pipes share. */
final class Pipes {
    private Pipes() {}

    /** A listener on a path that takes connections into a list. */
    static final class Listener {
        final UvPipe pipe;
        final List<UvPipe> accepted = new ArrayList<>();

        Listener(UvLoop loop, Path path) {
            this(loop, bound(loop, path));
        }

        Listener(UvLoop loop, UvPipe bound) {
            pipe = bound;
            pipe.listen(128, status -> {
                var peer = new UvPipe(loop, false);
                pipe.accept(peer);
                accepted.add(peer);
            });
        }

        private static UvPipe bound(UvLoop loop, Path path) {
            var pipe = new UvPipe(loop, false);
            pipe.bind(path);
            return pipe;
        }
    }

    /** Runs a connect to its end and returns its status. */
    static int connect(UvLoop loop, UvPipe pipe, Path path) {
        var status = new int[] {1};
        var request = new UvConnect(loop);
        pipe.connect(request, path, code -> status[0] = code);
        Streams.until(loop, () -> status[0] <= 0);
        request.free();
        return status[0];
    }

    /** Two connected sockets in one loop. */
    record Pair(UvPipe one, UvPipe two) {
        static Pair of(UvLoop loop, boolean descriptors) {
            var ends = UvDescriptors.sockets(libc.SOCK_STREAM(), false, false);
            return new Pair(opened(loop, descriptors, ends.first()), opened(loop, descriptors, ends.second()));
        }
    }

    /** A handle of a descriptor. */
    static UvPipe opened(UvLoop loop, boolean descriptors, int fd) {
        var pipe = new UvPipe(loop, descriptors);
        pipe.open(fd);
        return pipe;
    }
}
