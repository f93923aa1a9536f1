package io.github.uvloop4j.net;

import java.nio.ByteBuffer;

/** A protocol that says where to put what arrives; into a direct buffer the kernel reads without a copy. */
public non-sealed interface BufferedProtocol extends BaseProtocol {
    /**
     * Where to read into: between position and limit, which must not be empty.
     *
     * @param sizeHint how many bytes may come
     */
    ByteBuffer getBuffer(int sizeHint);

    /** So many bytes were put at the buffer's position, which has not moved. */
    void bufferUpdated(int count);
}
