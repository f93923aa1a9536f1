package io.github.uvloop4j.tls;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which TLS serves which host: exact names first, then patterns, then a function. */
record HostNames(
        Map<String, ServerTls> patterns, @Nullable Function<? super String, ? extends @Nullable ServerTls> choice) {
    static final HostNames NONE = new HostNames(Map.of(), null);

    boolean isEmpty() {
        return patterns.isEmpty() && choice == null;
    }

    HostNames and(String pattern, ServerTls tls) {
        Objects.requireNonNull(tls, "other");
        var name = pattern.toLowerCase(Locale.ROOT);
        var bare = name.startsWith("*.") ? name.substring(2) : name;
        if (bare.isEmpty() || bare.indexOf('*') >= 0) {
            throw new IllegalArgumentException("not a host name, nor *. and a host name: \"" + pattern + '"');
        }
        var more = new LinkedHashMap<>(patterns);
        more.put(name, tls);
        return new HostNames(Map.copyOf(more), choice);
    }

    HostNames orElse(Function<? super String, ? extends @Nullable ServerTls> function) {
        return new HostNames(patterns, Objects.requireNonNull(function, "choice"));
    }

    @Nullable
    ServerTls find(String host) {
        var name = host.toLowerCase(Locale.ROOT);
        var exact = patterns.get(name);
        if (exact != null) {
            return exact;
        }
        int dot = name.indexOf('.');
        var matching = dot <= 0 ? null : patterns.get("*" + name.substring(dot));
        if (matching != null || choice == null) {
            return matching;
        }
        return choice.apply(host);
    }
}
