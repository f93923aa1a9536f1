package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.BufferedProtocol;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.Transport;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Protocols whose callbacks run in the context of their transport, and share what they set there. */
final class ContextProtocol {
    private ContextProtocol() {}

    static BaseProtocol of(@Nullable Context context, BaseProtocol protocol) {
        if (context == null) {
            return protocol;
        }
        return switch (protocol) {
            case Protocol plain -> new Plain(context, plain);
            case BufferedProtocol buffered -> new Buffered(context, buffered);
        };
    }

    private static boolean eof(Context context, BaseProtocol protocol) {
        var keep = new boolean[1];
        context.run(() -> keep[0] = protocol.eofReceived());
        return keep[0];
    }

    private record Plain(Context context, Protocol protocol) implements Protocol {
        @Override
        public void connectionMade(Transport transport) {
            context.run(() -> protocol.connectionMade(transport));
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            context.run(() -> protocol.dataReceived(data));
        }

        @Override
        public boolean eofReceived() {
            return eof(context, protocol);
        }

        @Override
        public void connectionLost(@Nullable Throwable cause) {
            context.run(() -> protocol.connectionLost(cause));
        }

        @Override
        public void pauseWriting() {
            context.run(protocol::pauseWriting);
        }

        @Override
        public void resumeWriting() {
            context.run(protocol::resumeWriting);
        }
    }

    private record Buffered(Context context, BufferedProtocol protocol) implements BufferedProtocol {
        @Override
        public void connectionMade(Transport transport) {
            context.run(() -> protocol.connectionMade(transport));
        }

        @Override
        public ByteBuffer getBuffer(int sizeHint) {
            var buffer = new ByteBuffer[1];
            context.run(() -> buffer[0] = protocol.getBuffer(sizeHint));
            return buffer[0];
        }

        @Override
        public void bufferUpdated(int count) {
            context.run(() -> protocol.bufferUpdated(count));
        }

        @Override
        public boolean eofReceived() {
            return eof(context, protocol);
        }

        @Override
        public void connectionLost(@Nullable Throwable cause) {
            context.run(() -> protocol.connectionLost(cause));
        }

        @Override
        public void pauseWriting() {
            context.run(protocol::pauseWriting);
        }

        @Override
        public void resumeWriting() {
            context.run(protocol::resumeWriting);
        }
    }
}
