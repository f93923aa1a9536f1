package io.github.uvloop4j.transport;

import static io.github.uvloop4j.util.Errno.call;
import static io.github.uvloop4j.util.Errno.handle;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.util.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** System calls on sockets, each with its result or the negated errno. Any thread. */
final class SocketCalls {
    private static final FunctionDescriptor THREE_INTS = FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final FunctionDescriptor NAME = FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final FunctionDescriptor NAMED = FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final FunctionDescriptor TRANSFER =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

    private static final MethodHandle SOCKET = handle(libc.socket$address(), THREE_INTS);
    private static final MethodHandle BIND = handle(libc.bind$address(), NAMED);
    private static final MethodHandle CONNECT = handle(libc.connect$address(), NAMED);
    private static final MethodHandle LISTEN =
            handle(libc.listen$address(), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SHUTDOWN =
            handle(libc.shutdown$address(), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle CLOSE = handle(libc.close$address(), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle ACCEPT =
            handle(libc.accept4$address(), FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle SOCKET_NAME = handle(libc.getsockname$address(), NAME);
    private static final MethodHandle PEER_NAME = handle(libc.getpeername$address(), NAME);
    private static final MethodHandle SET_OPTION = handle(
            libc.setsockopt$address(),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle GET_OPTION = handle(
            libc.getsockopt$address(), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle CONTROL =
            handle(libc.fcntl.address(), THREE_INTS, Linker.Option.firstVariadicArg(2));

    private static final FunctionDescriptor TRANSFER_NAMED =
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle RECEIVE_FROM = handle(libc.recvfrom$address(), TRANSFER_NAMED);
    private static final MethodHandle SEND_TO = handle(
            libc.sendto$address(),
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));

    /** Critical: the socket never blocks and the length is capped, so that a heap array needs no copy. */
    private static final MethodHandle RECEIVE = handle(libc.recv$address(), TRANSFER, Linker.Option.critical(true));

    private static final MethodHandle SEND = handle(libc.send$address(), TRANSFER, Linker.Option.critical(true));

    /** The most that one critical call moves: it delays safepoints. */
    static final int LONGEST_TRANSFER = 256 * 1024;

    private static final MethodHandle SEND_FILE =
            handle(libc.sendfile$address(), FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG));

    private SocketCalls() {}

    static int socket(int family, int type, int protocol) {
        return call(errno -> (int) SOCKET.invokeExact(errno, family, type, protocol));
    }

    static int bind(int fd, MemorySegment address) {
        return call(errno -> (int) BIND.invokeExact(errno, fd, address, (int) address.byteSize()));
    }

    static int connect(int fd, MemorySegment address) {
        return call(errno -> (int) CONNECT.invokeExact(errno, fd, address, (int) address.byteSize()));
    }

    static int listen(int fd, int backlog) {
        return call(errno -> (int) LISTEN.invokeExact(errno, fd, backlog));
    }

    static int shutdown(int fd, int how) {
        return call(errno -> (int) SHUTDOWN.invokeExact(errno, fd, how));
    }

    static int close(int fd) {
        return call(errno -> (int) CLOSE.invokeExact(errno, fd));
    }

    static int accept(int fd, MemorySegment address, MemorySegment length, int flags) {
        return call(errno -> (int) ACCEPT.invokeExact(errno, fd, address, length, flags));
    }

    static int socketName(int fd, MemorySegment address, MemorySegment length) {
        return call(errno -> (int) SOCKET_NAME.invokeExact(errno, fd, address, length));
    }

    static int peerName(int fd, MemorySegment address, MemorySegment length) {
        return call(errno -> (int) PEER_NAME.invokeExact(errno, fd, address, length));
    }

    static int setOption(int fd, int level, int option, MemorySegment value) {
        return call(errno -> (int) SET_OPTION.invokeExact(errno, fd, level, option, value, (int) value.byteSize()));
    }

    static int getOption(int fd, int level, int option, MemorySegment value) {
        try (var arena = Arena.ofConfined()) {
            var length = arena.allocateFrom(JAVA_INT, (int) value.byteSize());
            return call(errno -> (int) GET_OPTION.invokeExact(errno, fd, level, option, value, length));
        }
    }

    static int control(int fd, int command, int argument) {
        return call(errno -> (int) CONTROL.invokeExact(errno, fd, command, argument));
    }

    static int receive(MemorySegment errno, int fd, MemorySegment target, int flags) {
        try {
            long length = Math.min(target.byteSize(), LONGEST_TRANSFER);
            long count = (long) RECEIVE.invokeExact(errno, fd, target, length, flags);
            return count < 0 ? -Errno.of(errno) : (int) count;
        } catch (Throwable t) {
            throw new AssertionError("a downcall does not throw", t);
        }
    }

    static int receiveFrom(int fd, MemorySegment target, int flags, MemorySegment address, MemorySegment length) {
        return call(errno ->
                (int) (long) RECEIVE_FROM.invokeExact(errno, fd, target, target.byteSize(), flags, address, length));
    }

    static int sendTo(int fd, MemorySegment source, int flags, MemorySegment address) {
        return call(errno -> (int) (long)
                SEND_TO.invokeExact(errno, fd, source, source.byteSize(), flags, address, (int) address.byteSize()));
    }

    /** At most so many bytes of a file, from a position on. */
    static int sendFile(int socket, int file, long position, int length) {
        try (var arena = Arena.ofConfined()) {
            var offset = arena.allocateFrom(JAVA_LONG, position);
            return call(errno -> (int) (long) SEND_FILE.invokeExact(errno, socket, file, offset, (long) length));
        }
    }

    static int send(MemorySegment errno, int fd, MemorySegment source, int flags) {
        try {
            long length = Math.min(source.byteSize(), LONGEST_TRANSFER);
            long count = (long) SEND.invokeExact(errno, fd, source, length, flags);
            return count < 0 ? -Errno.of(errno) : (int) count;
        } catch (Throwable t) {
            throw new AssertionError("a downcall does not throw", t);
        }
    }
}
