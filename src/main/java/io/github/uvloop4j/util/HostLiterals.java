package io.github.uvloop4j.util;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Addresses that are written out, and names that look as if they were. */
public final class HostLiterals {
    private HostLiterals() {}

    /**
     * The address that a text is; null when it is a name. An IPv6 address may be in brackets and have a zone: the name
     * or the number of an interface. Any thread.
     *
     * @throws UnknownHostException when it is neither: what only an IPv6 address has is in it, or its last label is a
     *     number, which the C library and the JDK read as different addresses
     */
    public static @Nullable InetAddress parse(String host) throws UnknownHostException {
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException name) {
            if (host.indexOf(':') >= 0 || host.indexOf('%') >= 0 || host.startsWith("[")) {
                return zoned(host);
            }
        }
        if (endsInNumber(host)) {
            throw new UnknownHostException("neither an IPv4 address nor a name: " + host);
        }
        return null;
    }

    /** The JDK takes a zone only from interfaces that have such an address themselves. */
    private static InetAddress zoned(String host) throws UnknownHostException {
        var text = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        int percent = text.indexOf('%');
        var zone = percent < 0 ? "" : text.substring(percent + 1);
        if (!zone.isEmpty()) {
            try {
                if (InetAddress.ofLiteral(text.substring(0, percent)) instanceof Inet6Address address) {
                    return Inet6Address.getByAddress(null, address.getAddress(), index(host, zone));
                }
            } catch (IllegalArgumentException refused) {
                // As below.
            }
        }
        throw new UnknownHostException("neither an IPv6 address nor a name: " + host);
    }

    private static int index(String host, String zone) throws UnknownHostException {
        NetworkInterface found;
        try {
            found = NetworkInterface.getByName(zone);
        } catch (SocketException e) {
            var error = new UnknownHostException("no look at the interfaces for the zone of " + host);
            error.initCause(e);
            throw error;
        }
        if (found == null) {
            throw new UnknownHostException("no interface " + zone + ", the zone of " + host);
        }
        return found.getIndex();
    }

    private static boolean endsInNumber(String host) {
        int end = host.endsWith(".") ? host.length() - 1 : host.length();
        var last = host.substring(host.lastIndexOf('.', end - 1) + 1, end);
        if (last.isEmpty()) {
            return false;
        }
        if (last.startsWith("0x") || last.startsWith("0X")) {
            return last.chars().skip(2).allMatch(c -> Character.digit(c, 16) >= 0);
        }
        return last.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
