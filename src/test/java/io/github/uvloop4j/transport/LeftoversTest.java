package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.Accepted;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.LoopExtension;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a socket keeps of an operation that another thread cancelled in the moment in which it got something. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class LeftoversTest {
    @Test
    void bytesComeBeforeThoseOfTheKernelAndDoNotGoAway(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        try (var socket = (FdSocket) loop.sockets().adopt(pair[0])) {
            socket.unread.append(ByteBuffer.wrap("first".getBytes()));
            Fds.write(pair[1], " second");
            assertThatThrownBy(socket::detach)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("receive or accept it");
            assertThat(loop.sockets().sockRecv(socket, 3).result()).isEqualTo("fir".getBytes());
            var rest = ByteBuffer.allocate(10);
            assertThat(loop.sockets().sockRecvInto(socket, rest).result()).isEqualTo(2);
            assertThat(loop.sockets().sockRecv(socket, 10).result()).isEqualTo(" second".getBytes());
        }
        Fds.close(pair[1]);
    }

    @Test
    void connectionGoesToTheNextAcceptOrIsClosedWithTheListener(EventLoop loop) throws Exception {
        var server = (FdSocket) loop.sockets().openTcp(StandardProtocolFamily.INET);
        server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        server.listen(1);
        int[] first = Fds.pair();
        int[] second = Fds.pair();
        var kept = new Accepted(loop.sockets().adopt(first[0]), server.localAddress());
        server.unclaimed = kept;
        assertThat(loop.sockets().sockAccept(server).result()).isSameAs(kept);
        kept.socket().close();
        server.unclaimed = new Accepted(loop.sockets().adopt(second[0]), server.localAddress());
        server.close();
        assertThat(Fds.isSocket(second[0])).isFalse();
        Fds.close(first[1], second[1]);
    }
}
