package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.net.RawPipe;
import org.jspecify.annotations.Nullable;

/** A raw pipe: a descriptor, and what is known of it. */
final class FdPipe implements RawPipe, Created, LoopIo.Closeables {
    private static final int LAST_STANDARD = 2;

    private final LoopIo io;
    private final int fd;
    private final int mode;
    private final boolean terminal;
    private final @Nullable Throwable creation;
    private boolean open = true;

    FdPipe(LoopIo io, int fd, boolean terminal) {
        this.io = io;
        this.fd = fd;
        this.mode = SocketCalls.control(fd, libc.F_GETFL(), 0) & libc.O_ACCMODE();
        this.terminal = terminal;
        this.creation = io.context().creation("pipe");
    }

    @Override
    public @Nullable Throwable creation() {
        return creation;
    }

    @Override
    public int fd() {
        io.check();
        if (!open) {
            throw new IllegalStateException(this + " is closed");
        }
        return fd;
    }

    @Override
    public boolean isReadable() {
        io.checkLook();
        return mode != libc.O_WRONLY();
    }

    @Override
    public boolean isWritable() {
        io.checkLook();
        return mode != libc.O_RDONLY();
    }

    /** Whether an error of input and output is how its end is told. */
    boolean isTerminal() {
        return terminal;
    }

    @Override
    public boolean isOpen() {
        io.checkLook();
        return open;
    }

    @Override
    public int detach() {
        int handle = fd();
        open = false;
        io.rawPipes().forget(this, handle);
        return handle;
    }

    @Override
    public void close() {
        io.check();
        if (open) {
            close(detach());
        }
    }

    /** Closes a descriptor, unless it is one of those that the process began with. */
    static void close(int fd) {
        if (fd > LAST_STANDARD) {
            SocketCalls.close(fd);
        }
    }

    @Override
    public void abortNow() {
        close();
    }

    @Override
    public String toString() {
        return "pipe " + fd + (open ? "" : " [closed]");
    }
}
