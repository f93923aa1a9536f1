package io.github.uvloop4j.net;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A name of a Unix socket in Linux's abstract namespace: there is no file, and it is gone with the socket. Immutable.
 * Any thread. A socket that is bound to a path has a {@link UnixDomainSocketAddress}.
 */
public final class AbstractAddress extends SocketAddress {
    private static final long serialVersionUID = 1;

    private final byte[] name;

    private AbstractAddress(byte[] name) {
        if (name.length == 0 || name.length > 107) {
            throw new IllegalArgumentException("an abstract name has 1 to 107 bytes, not " + name.length);
        }
        this.name = name;
    }

    /** A name as UTF-8, of 1 to 107 bytes. */
    public static AbstractAddress of(String name) {
        return new AbstractAddress(name.getBytes(StandardCharsets.UTF_8));
    }

    /** A name of any bytes, 1 to 107 of them. */
    public static AbstractAddress of(byte[] name) {
        return new AbstractAddress(name.clone());
    }

    /** The name's bytes. */
    public byte[] name() {
        return name.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AbstractAddress address && Arrays.equals(name, address.name);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(name);
    }

    /** The name after an {@code @}, as {@code ss} and {@code /proc/net/unix} write it. */
    @Override
    public String toString() {
        return '@' + new String(name, StandardCharsets.UTF_8);
    }
}
