package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Listening in tasks. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ListenerTest {
    private static Connection connect(EventLoop loop, Listener listener) throws Exception {
        return loop.net().openConnection("127.0.0.1", listener.port());
    }

    @Test
    void waitingTasksAreServedInTheirOrder(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var tasks = new ArrayList<Task<Connection>>();
            for (int i = 0; i < 5; i++) {
                tasks.add(loop.spawn(listener::accept));
            }
            Recorder.turns(loop, 2);
            for (var task : tasks) {
                var client = connect(loop, listener);
                var accepted = task.await(Recorder.LIMIT);
                assertThat(accepted.peerAddress()).isEqualTo(client.localAddress());
                accepted.close();
                client.close();
            }
            listener.close();
        });
    }

    @Test
    void connectionsThatNobodyWaitsForAreKeptInTheirOrder(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var clients = new ArrayList<Connection>();
            for (int i = 0; i < 20; i++) {
                clients.add(connect(loop, listener));
            }
            for (var client : clients) {
                var accepted = listener.accept();
                assertThat(accepted.peerAddress()).isEqualTo(client.localAddress());
                accepted.close();
                client.close();
            }
            listener.close();
        });
    }

    @Test
    void closeFailsThoseWhoWaitAndLeavesConnections(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var client = connect(loop, listener);
            var accepted = listener.accept();
            var first = loop.spawn(listener::accept);
            var second = loop.spawn(listener::accept);
            Recorder.turns(loop, 2);
            listener.close();
            listener.close();
            assertThatThrownBy(() -> first.await(Recorder.LIMIT)).isInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(() -> second.await(Recorder.LIMIT)).isInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(listener::accept).isInstanceOf(ClosedChannelException.class);
            assertThat(listener.addresses()).isEmpty();
            assertThatThrownBy(listener::address).isInstanceOf(IllegalStateException.class);
            client.write("still there\n");
            assertThat(accepted.readLine()).isEqualTo("still there");
            accepted.close();
            client.close();
        });
    }

    @Test
    void closeDropsConnectionsThatNobodyTook(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var client = connect(loop, listener);
            Recorder.turns(loop, 10);
            listener.close();
            assertThatThrownBy(() -> {
                        if (client.readAll().length == 0) {
                            throw new java.net.SocketException("the end");
                        }
                    })
                    .isInstanceOf(java.net.SocketException.class);
            client.close();
        });
    }

    @Test
    void outsideATaskAcceptIsRefusedWithAHint(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var outcome = loop.<Throwable>createFuture();
            loop.callSoon(() -> {
                try {
                    listener.accept();
                    outcome.complete(new AssertionError("it was allowed"));
                } catch (Exception e) {
                    outcome.complete(e);
                }
            });
            assertThat(outcome.await())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("spawn");
            listener.close();
        });
    }

    @Test
    void anAddressInUseIsABindException(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            int port = listener.port();
            assertThatThrownBy(() -> loop.net().listen("127.0.0.1", port))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("127.0.0.1:" + port);
            listener.close();
        });
    }

    @Test
    void aListenerOnEveryInterfaceAcceptsFromBothFamilies(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listener = loop.net().listen(null, 0);
            int port = listener.port();
            for (var host : new String[] {"127.0.0.1", "::1"}) {
                var client = loop.net().openConnection(host, port);
                var accepted = listener.accept();
                assertThat(accepted.peerAddress()).isEqualTo(client.localAddress());
                assertThat(client.peerAddress()).isEqualTo(new InetSocketAddress(host, port));
                accepted.close();
                client.close();
            }
            listener.close();
        });
    }

    @Test
    void manyTasksAcceptAndEcho(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            int count = 100;
            var server = loop.spawn(() -> {
                for (int i = 0; i < count; i++) {
                    var connection = listener.accept();
                    loop.spawn(() -> {
                        try (connection) {
                            connection.transferTo(connection);
                        }
                    });
                }
            });
            var clients = new ArrayList<Task<String>>();
            for (int i = 0; i < count; i++) {
                int number = i;
                clients.add(loop.spawn(() -> {
                    try (var connection = connect(loop, listener)) {
                        connection.write("hello " + number + "\n");
                        return connection.readLine();
                    }
                }));
            }
            for (int i = 0; i < count; i++) {
                assertThat(clients.get(i).await(Recorder.LIMIT)).isEqualTo("hello " + i);
            }
            server.await(Recorder.LIMIT);
            Recorder.until(loop, () -> loop.taskCount() == 1);
            listener.close();
        });
    }
}
