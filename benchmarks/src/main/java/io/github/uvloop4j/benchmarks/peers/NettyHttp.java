package io.github.uvloop4j.benchmarks.peers;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** HTTP on one event loop thread of Netty, with its codec: a short text for each request. */
public final class NettyHttp {
    private NettyHttp() {}

    public static void main(String[] args) throws Exception {
        var process = PeerProcess.parse(args, List.of("--addr", "--transport"));
        var transport = NettyPeer.transport(process);
        var group = new MultiThreadIoEventLoopGroup(1, transport.handlers(ByteBufAllocator.DEFAULT));
        var hello = new Hello();
        hello.keepTime(group);
        var channel = new ServerBootstrap()
                .group(group)
                .channel(transport.serverChannel(process.address()))
                .option(ChannelOption.SO_BACKLOG, PeerProcess.BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, ByteBufAllocator.DEFAULT)
                .childHandler(new Connected(hello))
                .bind(process.address())
                .sync()
                .channel();
        process.announce(channel.localAddress());
        channel.closeFuture().sync();
    }

    private static final class Connected extends ChannelInitializer<Channel> {
        private final Hello hello;

        Connected(Hello hello) {
            this.hello = hello;
        }

        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline().addLast(new HttpServerCodec(), hello);
        }
    }

    /** Answers each request in the same way, with the least that Netty's codec needs for it. */
    @ChannelHandler.Sharable
    private static final class Hello extends ChannelInboundHandlerAdapter {
        private static final AsciiString CONTENT_TYPE = AsciiString.cached("Content-Type");
        private static final AsciiString CONTENT_LENGTH = AsciiString.cached("Content-Length");
        private static final AsciiString DATE = AsciiString.cached("Date");
        private static final AsciiString TEXT = AsciiString.cached("text/plain; charset=utf-8");
        private static final byte[] BODY = "Hello, world\n".getBytes(StandardCharsets.US_ASCII);
        private static final AsciiString LENGTH = AsciiString.cached(Integer.toString(BODY.length));
        private static final DefaultHttpHeadersFactory UNCHECKED =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false);
        private static final DateTimeFormatter FORMAT =
                DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

        private final ByteBuf body = Unpooled.unreleasableBuffer(
                Unpooled.directBuffer().writeBytes(BODY).asReadOnly());
        private AsciiString date = now();

        void keepTime(EventLoopGroup group) {
            group.scheduleAtFixedRate(() -> date = now(), 0, 500, TimeUnit.MILLISECONDS);
        }

        private static AsciiString now() {
            return new AsciiString(FORMAT.format(ZonedDateTime.now(ZoneOffset.UTC)));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (message instanceof HttpRequest request) {
                    answer(context, request);
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        private void answer(ChannelHandlerContext context, HttpRequest request) {
            var response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body.duplicate(), UNCHECKED, UNCHECKED);
            response.headers()
                    .set(CONTENT_TYPE, TEXT)
                    .set(CONTENT_LENGTH, LENGTH)
                    .set(DATE, date);
            if (HttpUtil.isKeepAlive(request)) {
                context.write(response, context.voidPromise());
            } else {
                context.write(response).addListener(ChannelFutureListener.CLOSE);
            }
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
