package io.github.uvloop4j.net;

import java.nio.ByteBuffer;

/** A protocol that is handed what arrives. */
public non-sealed interface Protocol extends BaseProtocol {
    /**
     * Bytes arrived. The buffer is borrowed: it is valid during this call only, and direct, so that writing it on costs
     * no copy. Copy what must be kept.
     */
    void dataReceived(ByteBuffer data);
}
