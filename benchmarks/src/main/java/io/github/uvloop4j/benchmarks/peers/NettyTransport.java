package io.github.uvloop4j.benchmarks.peers;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerDomainSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The transports of Netty that an echo server can be run on. */
enum NettyTransport {
    EPOLL(EpollServerSocketChannel.class, EpollServerDomainSocketChannel.class, EpollDatagramChannel.class) {
        @Override
        @Nullable
        Throwable unavailable() {
            return Epoll.unavailabilityCause();
        }

        @Override
        IoHandlerFactory handlers(ByteBufAllocator allocator) {
            return EpollIoHandler.newFactory();
        }
    },
    IO_URING(IoUringServerSocketChannel.class, IoUringServerDomainSocketChannel.class, IoUringDatagramChannel.class) {
        @Override
        @Nullable
        Throwable unavailable() {
            return IoUring.unavailabilityCause();
        }

        @Override
        IoHandlerFactory handlers(ByteBufAllocator allocator) {
            var config = new IoUringIoHandlerConfig();
            if (usesBufferRing()) {
                config.setBufferRingConfig(IoUringBufferRingConfig.builder()
                        .bufferGroupId(BUFFER_GROUP)
                        .bufferRingSize(RING_BUFFERS)
                        .batchSize(RING_BATCH)
                        .allocator(new IoUringFixedBufferRingAllocator(allocator, true, RING_BUFFER))
                        .build());
            }
            return IoUringIoHandler.newFactory(config);
        }
    },
    NIO(NioServerSocketChannel.class, NioServerDomainSocketChannel.class, NioDatagramChannel.class) {
        @Override
        @Nullable
        Throwable unavailable() {
            return null;
        }

        @Override
        IoHandlerFactory handlers(ByteBufAllocator allocator) {
            return NioIoHandler.newFactory();
        }
    };

    static final short BUFFER_GROUP = 1;
    private static final short RING_BUFFERS = 256;
    private static final int RING_BATCH = 64;
    private static final int RING_BUFFER = 64 * 1024;

    private final Class<? extends ServerChannel> serverChannel;
    private final Class<? extends ServerChannel> unixServerChannel;
    private final Class<? extends DatagramChannel> datagramChannel;

    NettyTransport(
            Class<? extends ServerChannel> serverChannel,
            Class<? extends ServerChannel> unixServerChannel,
            Class<? extends DatagramChannel> datagramChannel) {
        this.serverChannel = serverChannel;
        this.unixServerChannel = unixServerChannel;
        this.datagramChannel = datagramChannel;
    }

    static NettyTransport named(String name) {
        try {
            return valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw PeerProcess.fail("--transport " + name + ": expected epoll, io_uring or nio");
        }
    }

    Class<? extends ServerChannel> serverChannel(SocketAddress address) {
        return isUnix(address) ? unixServerChannel : serverChannel;
    }

    Class<? extends DatagramChannel> datagramChannel() {
        return datagramChannel;
    }

    /** The address as this transport names it. */
    SocketAddress named(SocketAddress address) {
        return address instanceof UnixDomainSocketAddress unix && this != NIO
                ? new DomainSocketAddress(unix.getPath().toFile())
                : address;
    }

    private static boolean isUnix(SocketAddress address) {
        return address instanceof UnixDomainSocketAddress;
    }

    boolean usesBufferRing() {
        return this == IO_URING && IoUring.isRegisterBufferRingSupported();
    }

    /** Why it cannot run here, or null. */
    abstract @Nullable Throwable unavailable();

    abstract IoHandlerFactory handlers(ByteBufAllocator allocator);
}
