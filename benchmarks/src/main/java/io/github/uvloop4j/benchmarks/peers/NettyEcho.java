package io.github.uvloop4j.benchmarks.peers;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.util.Version;
import java.net.InetSocketAddress;
import java.util.List;

/** Echo on one event loop thread of Netty: {@code --transport epoll|io_uring|nio --addr HOST:PORT}. */
public final class NettyEcho {
    private NettyEcho() {}

    public static void main(String[] args) throws InterruptedException {
        var process = PeerProcess.parse(args, List.of("--addr", "--transport"));
        var transport = NettyTransport.named(process.option("--transport", "epoll"));
        var unavailable = transport.unavailable();
        if (unavailable != null) {
            throw PeerProcess.fail("not available here: " + rootCause(unavailable));
        }
        if (process.asksVersion()) {
            System.out.println(versions());
            return;
        }
        var allocator = ByteBufAllocator.DEFAULT;
        var group = new MultiThreadIoEventLoopGroup(1, transport.handlers(allocator));
        var bootstrap = new ServerBootstrap()
                .group(group)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, PeerProcess.BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childHandler(new Connected());
        if (transport.usesBufferRing()) {
            bootstrap.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, NettyTransport.BUFFER_GROUP);
        }
        var channel = bootstrap.bind(process.address()).sync().channel();
        PeerProcess.announce((InetSocketAddress) channel.localAddress());
        channel.closeFuture().sync();
    }

    private static String versions() {
        // Packed into one jar, only one of Netty's modules is left to tell its version.
        var modules = Version.identify().values().iterator();
        var version = modules.hasNext() ? modules.next().artifactVersion() : "of unknown version";
        return "Netty " + version + ", JDK " + Runtime.version();
    }

    private static Throwable rootCause(Throwable thrown) {
        var cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static final class Connected extends ChannelInitializer<Channel> {
        private static final Echo ECHO = new Echo();

        @Override
        protected void initChannel(Channel channel) {
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
}
