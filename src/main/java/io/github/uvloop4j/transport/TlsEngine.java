package io.github.uvloop4j.transport;

import io.github.uvloop4j.tls.ServerTls;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * TLS without I/O: records and plain bytes in, records and plain bytes out. First comes the handshake; what is written
 * meanwhile waits. Decrypts only while its owner wants to read. After a failure or {@link #release} it is silent.
 */
final class TlsEngine {
    /** Who moves the bytes. None of these is called within another, but for {@code send}. */
    interface Owner {
        /** Records for the peer; the buffer is used for others afterwards. */
        void send(ByteBuffer records);

        /** What the peer wrote; the buffer is used for others afterwards. */
        void received(ByteBuffer plain);

        /** Whether the peer does not take what is sent. */
        boolean isStuck();

        /** Runs steps that take long elsewhere, then calls back with null or their failure. */
        void elsewhere(Runnable steps, TasksEnd then);

        /** The handshake is over; from now on it decrypts when told to. */
        void established();

        /** The peer has closed its side in order. */
        void peerClosed();

        /** Nothing more comes of it: the peer broke the rules, or was refused. */
        void failed(SSLException error);
    }

    /** Called when steps elsewhere have ended. */
    interface TasksEnd {
        void ended(@Nullable Throwable failure);
    }

    private enum State {
        /** A server that chooses its engine by the name that the client asks for. */
        HELLO,
        HANDSHAKE,
        OPEN,
        OVER
    }

    /** Why decrypting has stopped. */
    private enum Stop {
        NEEDS_MORE,
        NEEDS_ROOM,
        TASKS,
        ESTABLISHED,
        PEER_CLOSED
    }

    private static final int MOST_UNREAD_ANSWERS = 64;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final TlsBuffers buffers;
    private final Owner owner;
    private final TlsKept kept;
    private final ByteQueue unsent = new ByteQueue();
    private final @Nullable ServerTls choosing;
    private @Nullable SSLEngine engine;
    private @Nullable String serverName;
    private State state;

    /** Its owner wants what the peer writes. */
    private boolean wanted;

    private boolean finished;
    private int unreadAnswers;
    private boolean tasksRun;
    private boolean reading;
    private boolean writing;
    private boolean inputClosed;
    private boolean outputClosed;
    private boolean closeWanted;
    private boolean closeSent;

    /** An engine that is known from the start. */
    TlsEngine(TlsBuffers buffers, Owner owner, SSLEngine engine) {
        this.buffers = buffers;
        this.owner = owner;
        this.kept = new TlsKept(buffers);
        this.engine = engine;
        this.choosing = null;
        this.state = State.HANDSHAKE;
    }

    /** The side of a server, which may choose by name. */
    TlsEngine(TlsBuffers buffers, Owner owner, ServerTls tls) {
        this.buffers = buffers;
        this.owner = owner;
        this.kept = new TlsKept(buffers);
        this.choosing = tls;
        this.engine = tls.hasNames() ? null : tls.engine();
        this.state = tls.hasNames() ? State.HELLO : State.HANDSHAKE;
    }

    /** Begins the handshake. */
    void begin() {
        if (state == State.HANDSHAKE) {
            try {
                sslEngine().beginHandshake();
            } catch (SSLException | RuntimeException e) {
                fail(e);
                return;
            }
            proceed();
        }
    }

    SSLEngine sslEngine() {
        var known = engine;
        if (known == null) {
            throw new IllegalStateException("the handshake has not begun");
        }
        return known;
    }

    /** The name by which the engine was chosen. */
    @Nullable
    String serverName() {
        return serverName;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean isInputClosed() {
        return inputClosed;
    }

    /** How many bytes were written and are not in records yet. */
    int unsent() {
        return unsent.size();
    }

    // In

    /** Takes what has come from the peer. */
    void receive(ByteBuffer source) {
        if (state == State.HELLO) {
            kept.append(source);
            choose();
            return;
        }
        do {
            if (state == State.OVER || inputClosed) {
                source.position(source.limit());
                return;
            }
            if (!canRead() || isPartOfRecord(source)) {
                kept.append(source);
                return;
            }
        } while (read(source) && (source.hasRemaining() || hasRecord()));
    }

    /** Whether nothing can be written any more, since the version allows no half of a connection. */
    boolean isOutputClosed() {
        return outputClosed;
    }

    /** Whether a record waits to be looked at. */
    boolean hasRecord() {
        return kept.size() > 0 && TlsRecords.isComplete(kept.view());
    }

    private boolean canRead() {
        return !reading && !tasksRun && (state == State.HANDSHAKE || state == State.OPEN && wanted) && !inputClosed;
    }

    /** Whether a record stays incomplete with this: no use to look at it. */
    private boolean isPartOfRecord(ByteBuffer source) {
        int before = kept.size();
        if (before < TlsRecords.HEADER) {
            return false;
        }
        return TlsRecords.length(kept.view(), 0, before) > before + source.remaining();
    }

    private void choose() {
        var found = TlsHello.look(kept.view());
        var tls = choosing;
        if (!found.complete() || tls == null) {
            return;
        }
        if (found.broken()) {
            // The engine may read a name in it all the same, and serve that with what another name is for.
            fail(new SSLHandshakeException("the client's first message cannot be read"));
            return;
        }
        try {
            var name = found.host();
            serverName = name;
            engine = (name == null ? tls : tls.select(name)).engine();
        } catch (RuntimeException e) {
            fail(new SSLHandshakeException("choosing a TLS for the host " + found.host() + " failed", e));
            return;
        }
        state = State.HANDSHAKE;
        begin();
    }

    /** Whether the owner wants what the peer writes; it may get some during this call. */
    void wanted(boolean value) {
        wanted = value;
        if (value && state == State.OPEN) {
            proceed();
        }
    }

    /** Goes on with what is there. */
    private void proceed() {
        boolean more;
        do {
            more = read(NOTHING);
        } while (more && hasRecord());
    }

    /** Looks at records; whether it got on. */
    private boolean read(ByteBuffer source) {
        if (!canRead()) {
            return false;
        }
        int before = kept.size() + source.remaining();
        reading = true;
        Stop stop;
        try {
            stop = decrypt(source);
        } catch (SSLException | RuntimeException e) {
            reading = false;
            fail(e);
            return true;
        }
        reading = false;
        if (state == State.OVER) {
            return true;
        }
        boolean gotOn = kept.size() + source.remaining() < before || source.hasRemaining();
        switch (stop) {
            case NEEDS_MORE, NEEDS_ROOM -> {}
            case TASKS -> runTasks();
            case ESTABLISHED -> establish();
            case PEER_CLOSED -> {
                inputClosed = true;
                kept.clear();
                owner.peerClosed();
            }
        }
        return gotOn;
    }

    /** Decrypts what fits at once, and hands it over, also when a failure follows. */
    private Stop decrypt(ByteBuffer source) throws SSLException {
        var plain = buffers.takePlain();
        try {
            Stop stop;
            try {
                stop = unwrap(source, plain);
            } finally {
                if (plain.position() > 0) {
                    owner.received(plain.flip());
                }
            }
            return stop;
        } finally {
            buffers.givePlain(plain);
        }
    }

    private Stop unwrap(ByteBuffer source, ByteBuffer plain) throws SSLException {
        var in = buffers.takeIncoming();
        try {
            kept.moveTo(in);
            int count = Math.min(in.remaining(), source.remaining());
            in.put(in.position(), source, source.position(), count);
            in.position(in.position() + count);
            source.position(source.position() + count);
            return unwrapAll(in.flip(), plain);
        } finally {
            if (state != State.OVER) {
                keepInFront(in);
            }
            buffers.giveIncoming(in);
        }
    }

    /** What is left comes before what is still kept, which is seldom. */
    private void keepInFront(ByteBuffer rest) {
        if (kept.size() == 0) {
            kept.append(rest);
            return;
        }
        var later = ByteBuffer.allocate(kept.size());
        kept.moveTo(later);
        kept.append(rest);
        kept.append(later.flip());
    }

    private Stop unwrapAll(ByteBuffer in, ByteBuffer plain) throws SSLException {
        var known = sslEngine();
        var status = state == State.OPEN ? HandshakeStatus.NOT_HANDSHAKING : known.getHandshakeStatus();
        while (true) {
            if (status == HandshakeStatus.NEED_WRAP) {
                status = wrapOwn();
            }
            if (status == HandshakeStatus.NEED_TASK) {
                return Stop.TASKS;
            }
            finished |= status == HandshakeStatus.NOT_HANDSHAKING;
            if (finished && state == State.HANDSHAKE) {
                return Stop.ESTABLISHED;
            }
            if (!TlsRecords.isComplete(in)) {
                return Stop.NEEDS_MORE;
            }
            refuseRenegotiation(in);
            int before = in.position();
            var result = known.unwrap(in, plain);
            note(result);
            switch (result.getStatus()) {
                case OK -> {}
                case CLOSED -> {
                    // Up to TLS 1.2 an end is answered at once, and nothing else may follow it.
                    outputClosed |= known.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
                    return Stop.PEER_CLOSED;
                }
                case BUFFER_OVERFLOW -> {
                    return needsRoom(plain);
                }
                // It was complete: this would be asked for again and again.
                case BUFFER_UNDERFLOW -> throw new SSLException("what the peer sent is no record of TLS");
            }
            status = result.getHandshakeStatus();
            if (status == HandshakeStatus.FINISHED || status == HandshakeStatus.NEED_UNWRAP) {
                status = known.getHandshakeStatus();
            }
            if (in.position() == before && result.bytesProduced() == 0 && status == HandshakeStatus.NEED_UNWRAP) {
                return Stop.NEEDS_MORE;
            }
        }
    }

    private static Stop needsRoom(ByteBuffer plain) throws SSLException {
        if (plain.position() == 0) {
            throw new SSLException("a record of the peer is larger than TLS allows");
        }
        return Stop.NEEDS_ROOM;
    }

    private void note(SSLEngineResult result) {
        finished |= result.getHandshakeStatus() == HandshakeStatus.FINISHED;
    }

    /** Up to TLS 1.2 the type of a record can be seen from outside; in 1.3 none is of this type after the handshake. */
    private void refuseRenegotiation(ByteBuffer in) throws SSLException {
        if (state == State.OPEN && TlsRecords.type(in, in.position()) == TlsRecords.HANDSHAKE) {
            throw new SSLException("the peer asked for a renegotiation, which is refused");
        }
    }

    private void establish() {
        state = State.OPEN;
        owner.established();
        writeKept();
    }

    private void runTasks() {
        tasksRun = true;
        var known = sslEngine();
        Runnable steps = () -> {
            for (var step = known.getDelegatedTask(); step != null; step = known.getDelegatedTask()) {
                step.run();
            }
        };
        owner.elsewhere(steps, this::tasksEnded);
    }

    private void tasksEnded(@Nullable Throwable failure) {
        tasksRun = false;
        if (state == State.OVER) {
            return;
        }
        if (failure != null) {
            fail(failure);
            return;
        }
        proceed();
        writeKept();
    }

    // Out

    /** Writes, or keeps until the handshake is over. */
    void write(ByteBuffer source) {
        if (state == State.OVER || closeWanted || outputClosed) {
            source.position(source.limit());
        } else if (canWrite()) {
            encrypt(source);
            writeKept();
        } else {
            unsent.append(source);
        }
    }

    private boolean canWrite() {
        return state == State.OPEN && !tasksRun && !writing && unsent.size() == 0;
    }

    /** What was written while it could not be sent, and the end. */
    private void writeKept() {
        while (unsent.size() > 0 && state == State.OPEN && !tasksRun && !writing) {
            encrypt(ByteBuffer.wrap(unsent.take(unsent.size())));
        }
        if (closeWanted && unsent.size() == 0 && !tasksRun && !writing) {
            sendClose();
        }
    }

    private void encrypt(ByteBuffer source) {
        var out = buffers.takeOutgoing();
        writing = true;
        try {
            if (wrapAll(source, out) == HandshakeStatus.NEED_WRAP) {
                wrap(out);
            }
            send(out);
        } catch (SSLException | RuntimeException e) {
            fail(e);
        } finally {
            writing = false;
            buffers.giveOutgoing(out);
        }
        if (source.hasRemaining() && state == State.OPEN) {
            putBack(source);
            runTasks();
        }
    }

    private HandshakeStatus wrapAll(ByteBuffer source, ByteBuffer out) throws SSLException {
        var status = HandshakeStatus.NOT_HANDSHAKING;
        while (source.hasRemaining() && state == State.OPEN && status != HandshakeStatus.NEED_TASK) {
            var result = sslEngine().wrap(source, out);
            status = result.getHandshakeStatus();
            if (result.getStatus() == Status.BUFFER_OVERFLOW && out.position() > 0) {
                send(out);
            } else if (result.getStatus() != Status.OK) {
                throw new SSLException("cannot be encrypted: " + result.getStatus());
            } else if (result.bytesProduced() == 0 && status != HandshakeStatus.NEED_TASK) {
                throw new SSLException("the peer must answer before more can be written");
            }
        }
        return status;
    }

    private void putBack(ByteBuffer source) {
        var rest = new byte[source.remaining()];
        source.get(rest);
        unsent.unread(rest, rest.length);
    }

    private void send(ByteBuffer out) {
        out.flip();
        if (out.hasRemaining() && state != State.OVER) {
            owner.send(out);
        }
        out.clear();
    }

    private HandshakeStatus wrapOwn() throws SSLException {
        checkAnswersAreRead();
        var out = buffers.takeOutgoing();
        try {
            wrap(out);
            send(out);
            return sslEngine().getHandshakeStatus();
        } finally {
            buffers.giveOutgoing(out);
        }
    }

    /** A peer that asks for new keys again and again, and reads no answer, would fill the memory. */
    private void checkAnswersAreRead() throws SSLException {
        unreadAnswers = state == State.OPEN && owner.isStuck() ? unreadAnswers + 1 : 0;
        if (unreadAnswers > MOST_UNREAD_ANSWERS) {
            throw new SSLException("the peer asks for new keys and does not read the answers");
        }
    }

    /** Produces what the engine itself has to say. */
    private void wrap(ByteBuffer out) throws SSLException {
        var known = sslEngine();
        do {
            var result = known.wrap(NOTHING.clear(), out);
            note(result);
            if (result.getStatus() == Status.BUFFER_OVERFLOW && out.position() > 0) {
                send(out);
            } else if (result.bytesProduced() == 0) {
                return;
            }
        } while (known.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
    }

    // The end

    /** Sends what was written, then says that nothing follows. */
    void close() {
        if (state != State.OVER && !closeWanted) {
            closeWanted = true;
            writeKept();
        }
    }

    private void sendClose() {
        if (closeSent || state == State.OVER) {
            return;
        }
        closeSent = true;
        var known = engine;
        if (known == null) {
            return;
        }
        try {
            known.closeOutbound();
            wrapOwn();
        } catch (SSLException | RuntimeException e) {
            fail(e);
        }
    }

    private void fail(Throwable error) {
        if (state == State.OVER) {
            return;
        }
        sendAlert();
        state = State.OVER;
        release();
        owner.failed(error instanceof SSLException known ? known : new SSLException("TLS failed: " + error, error));
    }

    /** What the engine has to say about its failure. */
    private void sendAlert() {
        var known = engine;
        if (known == null) {
            return;
        }
        var out = buffers.takeOutgoing();
        try {
            known.closeOutbound();
            wrap(out);
            send(out);
        } catch (SSLException | RuntimeException again) {
            // It fails for the same reason, which is known.
        } finally {
            buffers.giveOutgoing(out);
        }
    }

    /** The connection is gone. */
    void release() {
        if (state == State.OVER && engine == null) {
            return;
        }
        state = State.OVER;
        kept.clear();
        unsent.clear();
        if (engine != null) {
            free(engine);
        }
    }

    /** Engines of other providers may hold native memory; the JDK's would forget a session that can be resumed. */
    private void free(SSLEngine known) {
        if (known.getClass().getModule() == Object.class.getModule()) {
            return;
        }
        var unsendable = buffers.takeOutgoing();
        try {
            known.closeOutbound();
            // They wait until their last words were asked for.
            while (known.wrap(NOTHING.clear(), unsendable).bytesProduced() > 0) {
                unsendable.clear();
            }
            known.closeInbound();
        } catch (SSLException | RuntimeException truncated) {
            // Its owner knows.
        } finally {
            buffers.giveOutgoing(unsendable);
        }
    }
}
