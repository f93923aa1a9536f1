package io.github.uvloop4j.net;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.testing.DescriptorSender;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;

/** Receives a descriptor when its process cannot have more, and again when it can. For a JVM of its own. */
final class PassingMain {
    private PassingMain() {}

    public static void main(String[] args) throws Exception {
        EventLoop.run(loop -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM)) {
                // Whatever has to be loaded is loaded now.
                System.out.println("first " + receive(loop, way, 2) + " then " + receive(loop, way, 1));
                var many = new ArrayList<Integer>();
                for (int fd = libc.dup(0); fd >= 0; fd = libc.dup(0)) {
                    many.add(fd);
                }
                var full = receive(loop, way, 1);
                for (int fd : many) {
                    libc.close(fd);
                }
                System.out.println("full " + full);
                System.out.println("later " + receive(loop, way, 1));
            }
        });
    }

    private static String receive(EventLoop loop, SocketPair way, int count) throws Exception {
        DescriptorSender.send(way.first().fd(), "x", new int[count]);
        try {
            var target = ByteBuffer.allocate(1);
            var message =
                    loop.sockets().sockRecvDescriptor(way.second(), target).await();
            try (var passed = message.descriptor()) {
                return passed == null ? "none" : "one";
            }
        } catch (IOException e) {
            return e.getMessage().replaceAll(".*: ", "") + ", bytes kept: "
                    + loop.sockets().sockRecv(way.second(), 10).await().length;
        }
    }
}
