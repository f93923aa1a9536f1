package io.github.uvloop4j.transport;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/** Which addresses of a host are tried, and in what order. */
final class AddressOrder {
    private AddressOrder() {}

    /** One of IPv6, one of IPv4 and so on, each family in the order it came in (RFC 8305, section 4). */
    static List<InetSocketAddress> interleaved(Collection<InetSocketAddress> addresses) {
        var v6 = new ArrayDeque<InetSocketAddress>();
        var v4 = new ArrayDeque<InetSocketAddress>();
        for (var address : new LinkedHashSet<>(addresses)) {
            (isV6(address) ? v6 : v4).add(address);
        }
        var order = new ArrayList<InetSocketAddress>();
        while (!v6.isEmpty() || !v4.isEmpty()) {
            for (var family : List.of(v6, v4)) {
                var next = family.poll();
                if (next != null) {
                    order.add(next);
                }
            }
        }
        return order;
    }

    /** Those that can be reached from an address: of its family. */
    static List<InetSocketAddress> from(InetSocketAddress local, Collection<InetSocketAddress> addresses) {
        return addresses.stream()
                .filter(address -> isV6(address) == isV6(local))
                .toList();
    }

    private static boolean isV6(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address;
    }
}
