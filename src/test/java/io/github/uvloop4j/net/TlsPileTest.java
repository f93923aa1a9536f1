package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.testing.TlsPeers;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a peer sends faster than it is read waits in the kernel, not here. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TlsPileTest {
    private static final int SENT = 12 * 1024 * 1024;
    private static final int FEW = 1024 * 1024;

    @Test
    void aReaderThatIsSlowerThanItsPeerKeepsLittle(EventLoop loop) throws Exception {
        var server = TlsPeers.server(socket -> {
            var bytes = new byte[1024 * 1024];
            for (int i = 0; i < SENT / bytes.length; i++) {
                socket.getOutputStream().write(bytes);
            }
            return "";
        });
        loop.run(() -> {
            var options = ConnectOptions.defaults().tls(TestTls.client());
            try (var connection = loop.net().openConnection("127.0.0.1", server.port(), options)) {
                var buffer = ByteBuffer.allocate(16 * 1024);
                long read = 0;
                for (int count = connection.read(buffer); count >= 0; count = connection.read(buffer.clear())) {
                    read += count;
                    assertThat(loop.statistics().io().bytesReceived() - read).isLessThan(FEW);
                    Task.sleep(Duration.ZERO); // a turn for each read
                }
                assertThat(read).isEqualTo(SENT);
            }
        });
    }
}
