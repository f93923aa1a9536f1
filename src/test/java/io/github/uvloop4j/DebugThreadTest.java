package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.dns.AddrInfoHints;
import io.github.uvloop4j.dns.NameInfoFlag;
import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.Connected;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.ConnectionHandler;
import io.github.uvloop4j.net.DatagramEndpoint;
import io.github.uvloop4j.net.DatagramOptions;
import io.github.uvloop4j.net.DatagramProtocol;
import io.github.uvloop4j.net.DatagramTransport;
import io.github.uvloop4j.net.FifoMode;
import io.github.uvloop4j.net.Listener;
import io.github.uvloop4j.net.Network;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.RawPipe;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.net.SocketType;
import io.github.uvloop4j.net.Sockets;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.tls.ClientTls;
import io.github.uvloop4j.tls.Tls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In debug mode every method of what the network hands out throws on a wrong thread, also those that only look. */
@Timeout(60)
class DebugThreadTest {
    private static final Protocol SILENT = (ByteBuffer data) -> {};
    private static final DatagramProtocol UNHEARD = (data, sender) -> {};

    /** Facts that never change once they are known, and what is said to be for any thread. */
    private static final Set<String> FREE =
            Set.of("localAddress", "peerAddress", "extraInfo", "tls", "clientCount", "acceptedCount", "socketFactory");

    private static final Map<Class<?>, Object> ARGUMENTS = arguments();

    private static Map<Class<?>, Object> arguments() {
        var values = new LinkedHashMap<Class<?>, Object>();
        values.put(int.class, 1);
        values.put(long.class, 1L);
        values.put(Tls.class, ClientTls.defaults());
        values.put(boolean.class, true);
        values.put(Path.class, Path.of("fifo"));
        values.put(FifoMode.class, FifoMode.READ);
        values.put(SocketType.class, SocketType.STREAM);
        values.put(String.class, "127.0.0.1");
        values.put(byte[].class, new byte[1]);
        values.put(ByteBuffer.class, ByteBuffer.allocate(1));
        values.put(List.class, List.of(ByteBuffer.allocate(1)));
        values.put(Duration.class, Duration.ofSeconds(1));
        values.put(Runnable.class, (Runnable) () -> {});
        values.put(Supplier.class, (Supplier<Protocol>) () -> SILENT);
        values.put(BaseProtocol.class, SILENT);
        values.put(InetSocketAddress.class, new InetSocketAddress("127.0.0.1", 1));
        values.put(SocketAddress.class, new InetSocketAddress("127.0.0.1", 1));
        values.put(InetAddress.class, InetAddress.getLoopbackAddress());
        values.put(DatagramOptions.class, DatagramOptions.bound("127.0.0.1", 0));
        values.put(ProtocolFamily.class, StandardProtocolFamily.INET);
        values.put(ConnectionHandler.class, (ConnectionHandler) connection -> {});
        values.put(ServerOptions.class, ServerOptions.defaults());
        values.put(ConnectOptions.class, ConnectOptions.defaults());
        values.put(WriteLimits.class, WriteLimits.DEFAULT);
        values.put(AddrInfoHints.class, AddrInfoHints.none());
        values.put(NameInfoFlag[].class, new NameInfoFlag[0]);
        values.put(Tls.class, ClientTls.defaults());
        return values;
    }

    /** What a call on a wrong thread did that it should not; null when it threw as it must. */
    private static String wrong(Object target, Method method, Map<Class<?>, Object> things) {
        var name = method.getDeclaringClass().getSimpleName() + '.' + method.getName();
        var arguments = new ArrayList<Object>();
        for (var type : method.getParameterTypes()) {
            var value = things.containsKey(type) ? things.get(type) : ARGUMENTS.get(type);
            if (value == null) {
                return name + " takes a " + type + ": add one to the arguments";
            }
            arguments.add(value);
        }
        try {
            return name + " returned " + method.invoke(target, arguments.toArray());
        } catch (InvocationTargetException thrown) {
            var cause = thrown.getCause();
            boolean right =
                    cause instanceof IllegalStateException && cause.getMessage().startsWith("not on the loop thread");
            return right ? null : name + " threw " + cause;
        } catch (IllegalAccessException e) {
            return name + ": " + e;
        }
    }

    @Test
    @Tag("cells")
    void everyMethodOfTheNetworkThrowsOnAWrongThread() throws Exception {
        var found = new ArrayList<String>();
        int[] count = new int[1];
        try (var loop = EventLoop.create(LoopOptions.defaults().debug(true)).start()) {
            loop.call(() -> {
                var things = new LinkedHashMap<Class<?>, Object>();
                var server =
                        loop.net().createServer(() -> SILENT, "127.0.0.1", 0).await();
                int port = server.port();
                Connected<Protocol> connected = loop.net()
                        .createConnection(() -> SILENT, "127.0.0.1", port)
                        .await();
                var connection = loop.net().openConnection("127.0.0.1", port);
                var listener = loop.net().listen("127.0.0.1", 0);
                var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
                things.put(Server.class, server);
                things.put(Transport.class, connected.transport());
                things.put(Connection.class, connection);
                things.put(Listener.class, listener);
                things.put(RawSocket.class, socket);
                var pipes = loop.sockets().openPipe();
                things.put(RawPipe.class, pipes.reader());
                var endpoint = loop.net().openDatagramEndpoint(DatagramOptions.bound("127.0.0.1", 0));
                var datagrams = loop.net()
                        .createDatagramEndpoint(() -> UNHEARD, DatagramOptions.bound("127.0.0.1", 0))
                        .await()
                        .transport();
                things.put(DatagramEndpoint.class, endpoint);
                things.put(DatagramTransport.class, datagrams);
                things.put(Network.class, loop.net());
                things.put(Sockets.class, loop.sockets());
                Thread.ofPlatform()
                        .start(() -> things.forEach((type, thing) -> {
                            for (var method : type.getMethods()) {
                                if (!FREE.contains(method.getName())) {
                                    count[0]++;
                                    var wrong = wrong(thing, method, things);
                                    if (wrong != null) {
                                        found.add(wrong);
                                    }
                                }
                            }
                        }))
                        .join();
                assertThat(socket.isOpen()).isTrue();
                endpoint.close();
                datagrams.close();
                connection.close();
                connected.transport().close();
                listener.close();
                socket.close();
                pipes.close();
                server.close();
                server.closeClients();
            });
        }
        assertThat(found).isEmpty();
        assertThat(count[0]).isGreaterThan(80);
    }
}
