package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.testing.Descriptors;
import io.github.uvloop4j.testing.Internet;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sockets that were made elsewhere: their descriptor has one owner on every path. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class AdoptedSocketTest {
    private static RawSocket connected(EventLoop loop, int port) throws Exception {
        var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
        loop.sockets()
                .sockConnect(socket, new InetSocketAddress("127.0.0.1", port))
                .await(Recorder.LIMIT);
        return socket;
    }

    @Tag("cells")
    @Test
    void aProtocolTakesAConnectedSocketOver(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write("hi".getBytes(StandardCharsets.UTF_8));
            return null;
        });
        loop.run(() -> {
            var socket = connected(loop, peer.port());
            var recorder = new Recorder(loop);
            var connecting = loop.net().createConnection(() -> recorder, socket, ConnectOptions.defaults());
            assertThat(socket.isOpen()).isFalse();
            assertThatThrownBy(socket::fd).isInstanceOf(IllegalStateException.class);
            var transport = connecting.await(Recorder.LIMIT).transport();
            assertThat(Internet.port(transport.peerAddress())).isEqualTo(peer.port());
            recorder.ended();
            assertThat(recorder.events).containsExactly("made", "data", "eof", "lost");
            assertThat(recorder.text()).isEqualTo("hi");
            // The number may be another's by now.
            socket.close();
        });
    }

    @Test
    void aTaskTakesAnAcceptedSocketOver(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listening = loop.sockets().openTcp(StandardProtocolFamily.INET);
            listening.bind(new InetSocketAddress("127.0.0.1", 0));
            listening.listen(5);
            var client = Peers.client(listening.localAddress(), socket -> {
                socket.getOutputStream().write("line\n".getBytes(StandardCharsets.UTF_8));
                return socket.getInputStream().read();
            });
            var accepted = loop.sockets().sockAccept(listening).await(Recorder.LIMIT);
            try (var connection = loop.net().openConnection(accepted.socket())) {
                assertThat(connection.readLine()).isEqualTo("line");
                assertThat(connection.peerAddress()).isEqualTo(accepted.peer());
            }
            assertThat(Recorder.await(loop, client)).isEqualTo(-1);
            listening.close();
        });
    }

    @Test
    void anAcceptedSocketGetsAProtocol(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listening = loop.sockets().openTcp(StandardProtocolFamily.INET);
            listening.bind(new InetSocketAddress("127.0.0.1", 0));
            listening.listen(5);
            var client = Peers.client(listening.localAddress(), socket -> {
                socket.getOutputStream().write(1);
                return socket.getInputStream().read();
            });
            var accepted = loop.sockets().sockAccept(listening).await(Recorder.LIMIT);
            var recorder = new Recorder(loop).keepWriting();
            var connected = loop.net()
                    .connectAcceptedSocket(() -> recorder, accepted.socket())
                    .await();
            Recorder.until(loop, () -> recorder.size() == 1);
            connected.transport().write(new byte[] {2});
            assertThat(Recorder.await(loop, client)).isEqualTo(2);
            connected.transport().close();
            recorder.ended();
            listening.close();
        });
    }

    @Test
    void aServerTakesABoundSocketOver(EventLoop loop) throws Exception {
        loop.run(() -> {
            var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
            socket.bind(new InetSocketAddress("127.0.0.1", 0));
            var address = socket.localAddress();
            var recorder = new Recorder(loop);
            var server = loop.net()
                    .createServer(() -> recorder, socket, ServerOptions.defaults())
                    .await();
            assertThat(socket.isOpen()).isFalse();
            assertThat(server.addresses()).containsExactly(address);
            var client = Peers.client(address, peer -> 1);
            recorder.ended();
            Recorder.await(loop, client);
            server.close();
        });
    }

    @Test
    void aSocketWithAPendingOperationIsNotTaken(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var socket = connected(loop, peer.port());
            var receiving = loop.sockets().sockRecv(socket, 1);
            assertThatThrownBy(() ->
                            loop.net().createConnection(() -> new Recorder(loop), socket, ConnectOptions.defaults()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("pending");
            assertThatThrownBy(() -> loop.net().openConnection(socket)).isInstanceOf(IllegalStateException.class);
            assertThat(socket.isOpen()).isTrue();
            receiving.cancel();
            Recorder.turns(loop, 2);
            socket.close();
        });
    }

    @Test
    void aSocketThatIsNotConnectedEndsWithAnErrorAndIsClosed(EventLoop loop) throws Exception {
        loop.run(() -> {
            var before = Descriptors.now();
            var recorder = new Recorder(loop);
            var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
            try {
                loop.net()
                        .createConnection(() -> recorder, socket, ConnectOptions.defaults())
                        .await();
                assertThat(recorder.ended()).isInstanceOf(IOException.class);
            } catch (IOException refused) {
                assertThat(recorder.events).isEmpty();
            }
            Recorder.turns(loop, 3);
            assertThat(Descriptors.leakedSince(before)).isEmpty();
        });
    }

    @Test
    void aFactoryThatFailsClosesTheSocket(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var socket = connected(loop, peer.port());
            assertThatThrownBy(() -> loop.net()
                            .<Recorder>createConnection(
                                    () -> {
                                        throw new IllegalStateException("mine");
                                    },
                                    socket,
                                    ConnectOptions.defaults())
                            .await())
                    .hasMessage("mine");
        });
        assertThat(peer.result()).succeedsWithin(Recorder.LIMIT).isEqualTo(-1);
    }

    @Test
    void aLocalSocketIsTakenOrRefusedWithoutALeak(EventLoop loop) throws Exception {
        loop.run(() -> {
            var before = Descriptors.now();
            for (int round = 0; round < 2; round++) {
                int[] pair = localPair();
                var socket = loop.sockets().adopt(pair[0]);
                try {
                    if (round == 0) {
                        var recorder = new Recorder(loop);
                        loop.net()
                                .createConnection(() -> recorder, socket, ConnectOptions.defaults())
                                .await()
                                .transport()
                                .abort();
                        recorder.ended();
                    } else {
                        loop.net().openConnection(socket).close();
                    }
                } catch (IOException | RuntimeException refused) {
                    assertThat(socket.isOpen()).isFalse();
                }
                libc.close(pair[1]);
                Recorder.turns(loop, 3);
            }
            assertThat(Descriptors.leakedSince(before)).isEmpty();
        });
    }

    private static int[] localPair() {
        try (var arena = Arena.ofConfined()) {
            var pair = arena.allocate(ValueLayout.JAVA_INT, 2);
            assertThat(libc.socketpair(libc.AF_UNIX(), libc.SOCK_STREAM(), 0, pair))
                    .isZero();
            return new int[] {pair.getAtIndex(ValueLayout.JAVA_INT, 0), pair.getAtIndex(ValueLayout.JAVA_INT, 1)};
        }
    }

    @Test
    void aCancelledTakeOverClosesOnceAndHarmsNobodyWithTheSameNumber(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            int port = listener.port();
            for (int round = 0; round < 50; round++) {
                var socket = connected(loop, port);
                var first = listener.accept();
                int number = socket.fd();
                var recorder = new Recorder(loop);
                var connecting = loop.net().createConnection(() -> recorder, socket, ConnectOptions.defaults());
                connecting.cancel();
                var taken = connecting.handle((connected, error) -> connected).await();
                if (taken != null) {
                    taken.transport().abort();
                }
                assertThat(first.readAll()).as("the descriptor is closed").isEmpty();
                first.close();
                // Whoever comes next gets the same number, and must not be hit by a late close.
                var bystander = connected(loop, port);
                var other = listener.accept();
                socket.close();
                System.gc();
                Recorder.turns(loop, 2);
                other.write("alive\n");
                var received = loop.sockets().sockRecv(bystander, 16).await(Recorder.LIMIT);
                assertThat(received).hasSize(6);
                assertThat(number).isPositive();
                bystander.close();
                other.close();
            }
            listener.close();
        });
    }

    @Test
    void nobodyElseMayPollATransportsDescriptor(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var socket = connected(loop, peer.port());
            int fd = socket.fd();
            var connection = loop.net().openConnection(socket);
            for (var call : List.<Runnable>of(
                    () -> loop.sockets().addReader(fd, () -> {}),
                    () -> loop.sockets().addWriter(fd, () -> {}),
                    () -> loop.sockets().adopt(fd))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("" + fd);
            }
            connection.close();
        });
        assertThat(peer.result()).succeedsWithin(Recorder.LIMIT).isEqualTo(-1);
    }

    @Test
    void aSocketOfAnotherTypeIsRefusedAndStaysTheCallers(EventLoop loop) throws Exception {
        loop.run(() -> {
            int fd = libc.socket(libc.AF_UNIX(), libc.SOCK_SEQPACKET(), 0);
            assertThatThrownBy(() -> loop.sockets().adopt(fd)).isInstanceOf(IllegalArgumentException.class);
            assertThat(libc.close(fd)).isZero();
        });
    }

    @Test
    void reusedNumbersNeverMixConnections(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            int port = listener.port();
            var server = loop.spawn(() -> {
                while (true) {
                    var connection = listener.accept();
                    loop.spawn(() -> {
                        try (connection) {
                            connection.transferTo(connection);
                        }
                    });
                }
            });
            var tasks = new ArrayList<LoopFuture<Integer>>();
            for (int worker = 0; worker < 8; worker++) {
                int number = worker;
                tasks.add(loop.spawn(() -> {
                    for (int round = 0; round < 40; round++) {
                        var text = ("worker " + number + " round " + round + "\n").getBytes(StandardCharsets.UTF_8);
                        try (var connection = loop.net().openConnection("127.0.0.1", port)) {
                            connection.write(text);
                            var back = ByteBuffer.allocate(text.length);
                            connection.readExactly(back);
                            assertThat(back.array()).isEqualTo(text);
                        }
                    }
                    return number;
                }));
            }
            for (var task : tasks) {
                task.await(Recorder.LIMIT);
            }
            server.cancel();
            Recorder.until(loop, () -> loop.taskCount() == 1);
            listener.close();
        });
    }
}
