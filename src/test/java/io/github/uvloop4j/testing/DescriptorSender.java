package io.github.uvloop4j.testing;

import io.github.uvloop4j.ffi.cmsghdr;
import io.github.uvloop4j.ffi.iovec;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.msghdr;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/** Sends any number of descriptors with one message, through the C library. */
public final class DescriptorSender {
    private DescriptorSender() {}

    /** Sends text and descriptors over a Unix socket. */
    public static void send(int socket, String text, int... descriptors) {
        try (var arena = Arena.ofConfined()) {
            var bytes = arena.allocateFrom(text);
            var vector = iovec.allocate(arena);
            iovec.iov_base(vector, bytes);
            iovec.iov_len(vector, bytes.byteSize() - 1);
            long header = cmsghdr.sizeof();
            long length = header + 4L * descriptors.length;
            var control = arena.allocate((length + 7) & -8, 8);
            cmsghdr.cmsg_len(control, length);
            cmsghdr.cmsg_level(control, libc.SOL_SOCKET());
            cmsghdr.cmsg_type(control, libc.SCM_RIGHTS());
            for (int i = 0; i < descriptors.length; i++) {
                control.set(ValueLayout.JAVA_INT, header + 4L * i, descriptors[i]);
            }
            var message = msghdr.allocate(arena).fill((byte) 0);
            msghdr.msg_iov(message, vector);
            msghdr.msg_iovlen(message, 1);
            msghdr.msg_control(message, control);
            msghdr.msg_controllen(message, control.byteSize());
            if (libc.sendmsg(socket, message, libc.MSG_NOSIGNAL()) != text.length()) {
                throw new AssertionError("sendmsg failed");
            }
        }
    }
}
