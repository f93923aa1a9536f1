package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.Connected;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.RawPipe;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvPipe;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ends of pipes for protocols and tasks. Loop thread only. */
record PipeNetwork(LoopIo io) {
    /** A stream that nobody holds yet. */
    private record Taken(UvPipe stream, Way way) {}

    <P extends BaseProtocol> LoopFuture<Connected<P>> connect(Supplier<P> factory, RawPipe pipe, boolean reads) {
        Objects.requireNonNull(factory, "protocol");
        var place = check(pipe, reads);
        try {
            var taken = take((FdPipe) pipe, reads);
            P protocol;
            try {
                protocol = Objects.requireNonNull(factory.get(), "the factory returned null");
            } catch (Throwable error) {
                taken.stream.close();
                return LoopFuture.failed(io.context(), error);
            }
            var transport = new ProtocolTransport(io, taken.stream, protocol, WriteLimits.DEFAULT, null);
            transport.createdAt(place);
            goes(transport, taken);
            transport.start(false);
            return LoopFuture.completed(io.context(), new Connected<>(transport, protocol));
        } catch (IOException e) {
            return LoopFuture.failed(io.context(), e);
        }
    }

    Connection open(RawPipe pipe, boolean reads) throws IOException {
        var place = check(pipe, reads);
        var taken = take((FdPipe) pipe, reads);
        var connection = new TaskConnection(io, taken.stream, WriteLimits.DEFAULT, null);
        connection.createdAt(place);
        goes(connection, taken);
        return connection.started(false);
    }

    private @Nullable Throwable check(RawPipe pipe, boolean reads) {
        io.check();
        pipe.fd();
        if (reads ? !pipe.isReadable() : !pipe.isWritable()) {
            throw new IllegalArgumentException(pipe + " was not opened to " + (reads ? "read" : "write"));
        }
        return io.context().creation("pipe");
    }

    private Taken take(FdPipe pipe, boolean reads) throws IOException {
        var way = Way.one(pipe, reads);
        int fd = pipe.detach();
        UvPipe stream;
        try {
            stream = new UvPipe(io.uv(), false);
        } catch (RuntimeException error) {
            FdPipe.close(fd);
            throw error;
        }
        try {
            stream.open(fd);
            return new Taken(stream, way);
        } catch (RuntimeException error) {
            stream.close();
            FdPipe.close(fd);
            if (error instanceof UvException e) {
                throw IoErrors.of(e);
            }
            throw error;
        }
    }

    private static void goes(StreamBase stream, Taken taken) throws IOException {
        try {
            stream.goes(taken.way);
        } catch (UvException e) {
            taken.stream.close();
            throw IoErrors.of(e);
        }
    }
}
