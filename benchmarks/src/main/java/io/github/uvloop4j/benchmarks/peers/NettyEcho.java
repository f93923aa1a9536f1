package io.github.uvloop4j.benchmarks.peers;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Echo on one event loop thread of Netty: {@code --transport epoll|io_uring|nio --addr HOST:PORT|unix:PATH}, with
 * {@code --over udp} datagrams, with {@code --tls jdk|openssl --cert FILE --key FILE} secured.
 */
public final class NettyEcho {
    private NettyEcho() {}

    public static void main(String[] args) throws Exception {
        var process = PeerProcess.parse(args, List.of("--addr", "--transport", "--over", "--tls", "--cert", "--key"));
        var transport = NettyPeer.transport(process);
        var allocator = ByteBufAllocator.DEFAULT;
        var group = new MultiThreadIoEventLoopGroup(1, transport.handlers(allocator));
        var bound = process.option("--over", "tcp").equals("udp")
                ? datagrams(group, transport, process.address())
                : streams(group, transport, process.address(), NettyPeer.tls(process));
        var channel = bound.sync().channel();
        process.announce(channel.localAddress());
        channel.closeFuture().sync();
    }

    private static ChannelFuture datagrams(
            MultiThreadIoEventLoopGroup group, NettyTransport transport, SocketAddress address) {
        return new Bootstrap()
                .group(group)
                .channel(transport.datagramChannel())
                .option(ChannelOption.ALLOCATOR, ByteBufAllocator.DEFAULT)
                .handler(new DatagramEcho())
                .bind(address);
    }

    private static ChannelFuture streams(
            MultiThreadIoEventLoopGroup group,
            NettyTransport transport,
            SocketAddress address,
            @Nullable SslContext tls) {
        var bootstrap = new ServerBootstrap()
                .group(group)
                .channel(transport.serverChannel(address))
                .option(ChannelOption.SO_BACKLOG, PeerProcess.BACKLOG)
                .childOption(ChannelOption.ALLOCATOR, ByteBufAllocator.DEFAULT)
                .childHandler(new Connected(tls));
        if (address instanceof InetSocketAddress) {
            bootstrap.option(ChannelOption.SO_REUSEADDR, true).childOption(ChannelOption.TCP_NODELAY, true);
        }
        if (transport.usesBufferRing()) {
            bootstrap.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, NettyTransport.BUFFER_GROUP);
        }
        return bootstrap.bind(transport.named(address));
    }

    private static final class Connected extends ChannelInitializer<Channel> {
        private static final Echo ECHO = new Echo();

        private final @Nullable SslContext tls;

        Connected(@Nullable SslContext tls) {
            this.tls = tls;
        }

        @Override
        protected void initChannel(Channel channel) {
            if (tls != null) {
                channel.pipeline().addLast(tls.newHandler(channel.alloc()));
            }
            channel.pipeline().addLast(ECHO);
        }
    }

    @ChannelHandler.Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message, context.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private static final class DatagramEcho extends SimpleChannelInboundHandler<DatagramPacket> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
            context.write(new DatagramPacket(packet.content().retain(), packet.sender()), context.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }
}
