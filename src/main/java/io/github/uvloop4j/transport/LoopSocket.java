package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.uv.UvException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A socket of the JDK's kind on a connection of the loop, for code that wants one: it parks the task that calls it. */
final class LoopSocket extends Socket {
    /** An option of the kernel's. */
    private record Option(int level, int name) {}

    private static final Option NO_DELAY = new Option(libc.IPPROTO_TCP(), libc.TCP_NODELAY());
    private static final Option KEEP_ALIVE = new Option(libc.SOL_SOCKET(), libc.SO_KEEPALIVE());
    private static final Option SEND_BUFFER = new Option(libc.SOL_SOCKET(), libc.SO_SNDBUF());
    private static final Option RECEIVE_BUFFER = new Option(libc.SOL_SOCKET(), libc.SO_RCVBUF());
    private static final Option REUSE_ADDRESS = new Option(libc.SOL_SOCKET(), libc.SO_REUSEADDR());
    private static final Option URGENT_INLINE = new Option(libc.SOL_SOCKET(), libc.SO_OOBINLINE());
    private static final Option TRAFFIC_CLASS = new Option(libc.IPPROTO_IP(), libc.IP_TOS());

    private final LoopIo io;

    /** What was set before there was a socket. */
    private final Map<Option, Integer> wanted = new LinkedHashMap<>();

    private int lingerSeconds = -1;
    private int timeoutMillis;
    private @Nullable InetSocketAddress local;
    private @Nullable TaskConnection connection;
    private @Nullable ConnectionInput input;
    private boolean inputShut;
    private boolean outputShut;
    private boolean closed;

    LoopSocket(LoopIo io) throws SocketException {
        super((SocketImpl) null);
        this.io = io;
    }

    private TaskConnection connection() throws SocketException {
        checkOpen();
        var open = connection;
        if (open == null) {
            throw new SocketException("Socket is not connected");
        }
        return open;
    }

    private void checkOpen() throws SocketException {
        if (closed) {
            throw new SocketException("Socket is closed");
        }
    }

    // Connecting

    @Override
    public void bind(@Nullable SocketAddress address) throws IOException {
        checkOpen();
        if (local != null || connection != null) {
            throw new SocketException("Already bound");
        }
        if (address != null) {
            local = internet(address);
        }
    }

    private static InetSocketAddress internet(SocketAddress address) {
        if (address instanceof InetSocketAddress internet) {
            return internet;
        }
        throw new IllegalArgumentException("not an internet address: " + address);
    }

    @Override
    public void connect(SocketAddress address) throws IOException {
        connect(address, 0);
    }

    @Override
    public void connect(SocketAddress address, int timeout) throws IOException {
        checkOpen();
        if (connection != null) {
            throw new SocketException("already connected");
        }
        if (timeout < 0) {
            throw new IllegalArgumentException("negative timeout: " + timeout);
        }
        var target = internet(address);
        var options = ConnectOptions.defaults().localAddress(local).noDelay(false);
        if (timeout > 0) {
            options = options.timeout(Duration.ofMillis(timeout));
        }
        var made = (TaskConnection) io.network().openConnection(target, options);
        if (closed) {
            made.abort();
            checkOpen();
        }
        connection = made;
        try {
            for (var option : wanted.entrySet()) {
                set(option.getKey(), option.getValue());
            }
        } catch (IOException | RuntimeException error) {
            close();
            throw error;
        }
    }

    // Streams

    @Override
    public InputStream getInputStream() throws IOException {
        var open = connection();
        if (inputShut) {
            throw new SocketException("Socket input is shutdown");
        }
        var known = input;
        if (known == null) {
            known = new ConnectionInput(open, this::close);
            known.limit(timeoutMillis == 0 ? null : Duration.ofMillis(timeoutMillis));
            input = known;
        }
        return known;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        var open = connection();
        if (outputShut) {
            throw new SocketException("Socket output is shutdown");
        }
        return new ConnectionOutput(open, this::close);
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        checkOpen();
        if (timeout < 0) {
            throw new IllegalArgumentException("negative timeout: " + timeout);
        }
        timeoutMillis = timeout;
        if (input != null) {
            input.limit(timeout == 0 ? null : Duration.ofMillis(timeout));
        }
    }

    @Override
    public int getSoTimeout() throws SocketException {
        checkOpen();
        return timeoutMillis;
    }

    @Override
    public void shutdownInput() throws IOException {
        connection();
        inputShut = true;
        if (input != null) {
            input.shut();
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        connection().shutdownOutput();
        outputShut = true;
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        throw new SocketException("urgent data is not supported");
    }

    @Override
    public void close() {
        boolean first = !closed;
        closed = true;
        if (connection != null) {
            // With a longer time the kernel would stop the loop in close: what was sent goes out without a wait.
            if (first && lingerSeconds == 0 && !connection.isClosing()) {
                connection.resetOnClose();
            }
            connection.close();
        }
    }

    // What it is

    @Override
    public @Nullable InetAddress getInetAddress() {
        return connection == null ? null : internet(connection.peerAddress()).getAddress();
    }

    @Override
    public int getPort() {
        return connection == null ? 0 : internet(connection.peerAddress()).getPort();
    }

    @Override
    public InetAddress getLocalAddress() {
        var address = localSocketAddress();
        return address == null ? InetAddress.ofLiteral("0.0.0.0") : address.getAddress();
    }

    @Override
    public int getLocalPort() {
        var address = localSocketAddress();
        return address == null ? -1 : address.getPort();
    }

    private @Nullable InetSocketAddress localSocketAddress() {
        return connection == null ? local : internet(connection.localAddress());
    }

    @Override
    public @Nullable SocketAddress getRemoteSocketAddress() {
        return connection == null ? null : connection.peerAddress();
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        return localSocketAddress();
    }

    @Override
    public @Nullable SocketChannel getChannel() {
        return null;
    }

    @Override
    public boolean isConnected() {
        return connection != null;
    }

    @Override
    public boolean isBound() {
        return local != null || connection != null;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isInputShutdown() {
        return inputShut;
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShut;
    }

    // Options

    private void set(Option option, int value) throws SocketException {
        checkOpen();
        var open = connection;
        if (open == null) {
            wanted.put(option, value);
            return;
        }
        try {
            SocketOptions.set(open.descriptor(), option.level, option.name, value);
        } catch (UvException e) {
            throw (SocketException) new SocketException(e.getMessage()).initCause(e);
        }
    }

    private int get(Option option, int before) throws SocketException {
        checkOpen();
        var open = connection;
        if (open == null) {
            return wanted.getOrDefault(option, before);
        }
        try {
            return SocketOptions.get(open.descriptor(), option.level, option.name);
        } catch (UvException e) {
            throw (SocketException) new SocketException(e.getMessage()).initCause(e);
        }
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        set(NO_DELAY, on ? 1 : 0);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return get(NO_DELAY, 0) != 0;
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        set(KEEP_ALIVE, on ? 1 : 0);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return get(KEEP_ALIVE, 0) != 0;
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        set(REUSE_ADDRESS, on ? 1 : 0);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return get(REUSE_ADDRESS, 0) != 0;
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        set(URGENT_INLINE, on ? 1 : 0);
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return get(URGENT_INLINE, 0) != 0;
    }

    private static int positive(int size) {
        if (size <= 0) {
            throw new IllegalArgumentException("the size of a buffer must be positive: " + size);
        }
        return size;
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        set(SEND_BUFFER, positive(size));
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return get(SEND_BUFFER, 1);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        set(RECEIVE_BUFFER, positive(size));
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(RECEIVE_BUFFER, 1);
    }

    @Override
    public void setTrafficClass(int tc) throws SocketException {
        if (tc < 0 || tc > 255) {
            throw new IllegalArgumentException("must be 0 to 255: " + tc);
        }
        set(TRAFFIC_CLASS, tc);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return get(TRAFFIC_CLASS, 0);
    }

    @Override
    public void setSoLinger(boolean on, int linger) throws SocketException {
        checkOpen();
        if (on && linger < 0) {
            throw new IllegalArgumentException("negative linger: " + linger);
        }
        lingerSeconds = on ? Math.min(linger, 0xffff) : -1;
    }

    @Override
    public int getSoLinger() throws SocketException {
        checkOpen();
        return lingerSeconds;
    }

    @Override
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        // A hint that the JDK's own sockets ignore as well.
    }

    @Override
    public String toString() {
        return "socket of the loop " + (connection == null ? "[not connected]" : connection.toString());
    }
}
