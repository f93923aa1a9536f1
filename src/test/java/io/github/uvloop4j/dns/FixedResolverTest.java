package io.github.uvloop4j.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FixedResolverTest {
    private static final Map<String, List<InetAddress>> HOSTS =
            Map.of("Both.Example", List.of(Asked.V6, Asked.V4), "bücher.example.", List.of(Asked.V4));

    private final Resolver resolver = Resolvers.fixed(HOSTS);

    @Test
    void hostsAreFoundInAnyCaseAndWithADotAtTheEnd() {
        for (var name : List.of("both.example", "BOTH.EXAMPLE.", "Both.Example")) {
            assertThat(resolver.resolve(name, null).toCompletableFuture())
                    .isCompletedWithValue(List.of(Asked.V6, Asked.V4));
        }
        assertThat(resolver.resolve("xn--bcher-kva.example", null).toCompletableFuture())
                .isCompletedWithValue(List.of(Asked.V4));
    }

    @Test
    void onlyAddressesOfTheFamilyAreAnswered() {
        assertThat(resolver.resolve("both.example", StandardProtocolFamily.INET).toCompletableFuture())
                .isCompletedWithValue(List.of(Asked.V4));
        assertThat(resolver.resolve("xn--bcher-kva.example", StandardProtocolFamily.INET6)
                        .toCompletableFuture()
                        .exceptionNow())
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("INET6");
    }

    @Test
    void othersAreUnknown() {
        assertThat(resolver.resolve("other.example", null).toCompletableFuture().exceptionNow())
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("other.example");
    }

    @Test
    void othersMayBeAskedElsewhere() {
        var elsewhere = new Asked();
        var both = Resolvers.fixed(HOSTS, elsewhere);
        assertThat(both.resolve("both.example", null).toCompletableFuture()).isCompleted();
        assertThat(both.resolve("other.example", null).toCompletableFuture()).isNotDone();
        assertThat(elsewhere.hosts).containsExactly("other.example");
    }

    @Test
    void theTableIsCopied() {
        var table = new HashMap<>(HOSTS);
        var copy = Resolvers.fixed(table);
        table.clear();
        assertThat(copy.resolve("both.example", null).toCompletableFuture()).isCompleted();
    }

    @Test
    void badTablesAreRefused() {
        assertThatThrownBy(() -> Resolvers.fixed(Map.of("a", List.of()))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Resolvers.fixed(Map.of("a b", List.of(Asked.V4))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
