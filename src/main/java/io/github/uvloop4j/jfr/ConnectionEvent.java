package io.github.uvloop4j.jfr;

import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

@Name("uvloop4j.Connection")
@Label("Connection")
@Description("A connection, from its beginning to its end")
final class ConnectionEvent extends LoopEvent {
    private static final AtomicLong IDS = new AtomicLong();

    @Label("Connection Id")
    long connectionId;

    @Label("Kind")
    String kind = "";

    @Label("Accepted")
    @Description("Whether it came in by a server")
    boolean accepted;

    @Label("Local")
    @Description("The own address")
    @Nullable
    String local;

    @Label("Peer")
    @Description("The peer's address")
    @Nullable
    String peer;

    @Label("Bytes Received")
    @DataAmount
    long bytesReceived;

    @Label("Bytes Sent")
    @Description("What the kernel has taken")
    @DataAmount
    long bytesSent;

    @Label("Cause")
    @Description("Why it ended; nothing when it was closed from here or its peer ended it")
    @Nullable
    String cause;

    static long nextId() {
        return IDS.incrementAndGet();
    }
}
