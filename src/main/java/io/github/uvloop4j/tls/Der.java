package io.github.uvloop4j.tls;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** As much of DER as it takes to put keys of older forms into PKCS#8. */
final class Der {
    static final int INTEGER = 0x02;
    static final int OCTETS = 0x04;
    static final int SEQUENCE = 0x30;
    static final int CONTEXT_0 = 0xa0;

    private static final byte[] VERSION_0 = {INTEGER, 1, 0};
    private static final byte[] RSA = {
        SEQUENCE, 13, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 13, 1, 1, 1, 5, 0
    };
    private static final byte[] EC_PUBLIC_KEY = {6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};

    private Der() {}

    /** PKCS#8 around an RSA key in the form of PKCS#1. */
    static byte[] rsa(byte[] pkcs1) {
        return value(SEQUENCE, VERSION_0, RSA, value(OCTETS, pkcs1));
    }

    /** PKCS#8 around an EC key in the form of SEC1, which names its curve; null when it does not. */
    static byte[] ec(byte[] sec1) {
        var fields = content(ByteBuffer.wrap(sec1), SEQUENCE);
        content(fields, INTEGER);
        content(fields, OCTETS);
        var curve = bytes(content(fields, CONTEXT_0));
        return value(SEQUENCE, VERSION_0, value(SEQUENCE, EC_PUBLIC_KEY, curve), value(OCTETS, sec1));
    }

    private static byte[] bytes(ByteBuffer buffer) {
        var bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** The content of the next value; it moves behind it. */
    private static ByteBuffer content(ByteBuffer from, int tag) {
        try {
            if ((from.get() & 0xff) != tag) {
                throw new IllegalArgumentException("unexpected DER");
            }
            int length = from.get() & 0xff;
            if (length > 0x80) {
                int bytes = length - 0x80;
                length = 0;
                for (int i = 0; i < bytes; i++) {
                    length = Math.toIntExact((long) length << 8 | from.get() & 0xff);
                }
            }
            var content = from.slice(from.position(), length);
            from.position(from.position() + length);
            return content;
        } catch (BufferUnderflowException | IndexOutOfBoundsException | ArithmeticException broken) {
            throw new IllegalArgumentException("broken DER", broken);
        }
    }

    private static byte[] value(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (var part : parts) {
            content.writeBytes(part);
        }
        var whole = new ByteArrayOutputStream();
        whole.write(tag);
        int length = content.size();
        if (length < 0x80) {
            whole.write(length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
            whole.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                whole.write(length >> 8 * i);
            }
        }
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }
}
