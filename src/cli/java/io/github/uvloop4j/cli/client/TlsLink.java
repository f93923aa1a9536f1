package io.github.uvloop4j.cli.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** TLS 1.3 over a stream, with the same cipher suite for every server, so that all have the same work. */
final class TlsLink implements Link {
    private static final String[] VERSIONS = {"TLSv1.3"};
    private static final String[] SUITES = {"TLS_AES_256_GCM_SHA384"};
    private static final int BUFFER_SIZE = 128 << 10;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final int largestRecord;

    /** Received and not decrypted, ready to be filled further. */
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(BUFFER_SIZE);

    /** Encrypted and not sent, ready to be filled further. */
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(BUFFER_SIZE);

    private TlsLink(SocketChannel channel, SSLEngine engine) {
        this.channel = channel;
        this.engine = engine;
        largestRecord = engine.getSession().getPacketBufferSize();
    }

    /** Secures a connected channel, which blocks; closes it when that fails. */
    static TlsLink handshake(SocketChannel channel, SSLContext context, Duration timeout) throws IOException {
        try {
            var engine = context.createSSLEngine();
            engine.setUseClientMode(true);
            engine.setEnabledProtocols(VERSIONS);
            engine.setEnabledCipherSuites(SUITES);
            var link = new TlsLink(channel, engine);
            channel.configureBlocking(false);
            link.handshake(System.nanoTime() + timeout.toNanos());
            channel.configureBlocking(true);
            return link;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private void handshake(long deadline) throws IOException {
        var plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        engine.beginHandshake();
        try (var selector = Selector.open()) {
            var key = channel.register(selector, SelectionKey.OP_READ);
            var status = engine.getHandshakeStatus();
            while (status != HandshakeStatus.NOT_HANDSHAKING || outgoing.position() > 0) {
                if (outgoing.position() > 0 && !flush()) {
                    await(selector, key, SelectionKey.OP_WRITE, deadline);
                }
                switch (status) {
                    case NEED_TASK -> engine.getDelegatedTask().run();
                    case NEED_WRAP -> engine.wrap(NOTHING, outgoing);
                    case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                        if (!unwrapped(plain)) {
                            await(selector, key, SelectionKey.OP_READ, deadline);
                            if (channel.read(incoming) < 0) {
                                throw new SSLException("closed by the server in the handshake");
                            }
                        }
                    }
                    default -> {}
                }
                status = engine.getHandshakeStatus();
            }
        }
    }

    /** Decrypts a record, which in a handshake has no bytes for us; returns false when more must arrive first. */
    private boolean unwrapped(ByteBuffer target) throws SSLException {
        incoming.flip();
        try {
            return switch (engine.unwrap(incoming, target).getStatus()) {
                case OK -> true;
                case BUFFER_UNDERFLOW, BUFFER_OVERFLOW -> false;
                case CLOSED -> throw new SSLException("closed by the server");
            };
        } finally {
            incoming.compact();
        }
    }

    private static void await(Selector selector, SelectionKey key, int event, long deadline) throws IOException {
        key.interestOps(event);
        var millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0 || selector.select(_ -> {}, millis) == 0) {
            throw new SSLException("no handshake in time");
        }
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        var before = target.position();
        // What a record of the handshake or half a record leaves without bytes is no reason for a blocking read to end.
        do {
            var received = channel.read(incoming);
            incoming.flip();
            try {
                decrypt(target);
            } finally {
                incoming.compact();
            }
            if (received < 0) {
                return target.position() > before ? target.position() - before : -1;
            }
        } while (target.position() == before && channel.isBlocking());
        return target.position() - before;
    }

    private void decrypt(ByteBuffer target) throws IOException {
        while (incoming.hasRemaining()) {
            switch (engine.unwrap(incoming, target).getStatus()) {
                case OK -> {}
                case BUFFER_UNDERFLOW -> {
                    return;
                }
                case BUFFER_OVERFLOW -> throw new SSLException("no room for a record in " + target);
                case CLOSED -> throw new SSLException("closed by the server");
            }
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        var before = source.position();
        while (source.hasRemaining() && hasRoom()) {
            engine.wrap(source, outgoing);
        }
        flush();
        return source.position() - before;
    }

    private boolean hasRoom() throws IOException {
        return outgoing.remaining() >= largestRecord || (flush() && outgoing.remaining() >= largestRecord);
    }

    @Override
    public boolean flush() throws IOException {
        if (outgoing.position() > 0) {
            outgoing.flip();
            channel.write(outgoing);
            outgoing.compact();
        }
        return outgoing.position() == 0;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
