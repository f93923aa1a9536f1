package io.github.uvloop4j.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.testing.TestTls;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PEM files: what is read, and what is said of those that cannot be. */
class TlsFilesTest {
    private static final Path CHAIN = TestTls.file("server.pem");

    @ParameterizedTest
    @CsvSource({
        "server, server.key",
        "server, server-sec1.key",
        "server, server-sec1-parameters.key",
        "rsa, rsa.key",
        "rsa, rsa-pkcs1.key",
        "ed, ed.key"
    })
    void keysComeInSeveralForms(String chain, String key) {
        assertThat(ServerTls.of(TestTls.file(chain + ".pem"), TestTls.file(key)).engine())
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"server-encrypted.key", "server-encrypted-pbe1.key"})
    void encryptedKeysNeedTheirPassword(String key) {
        var file = TestTls.file(key);
        assertThat(ServerTls.of(CHAIN, file, "secret".toCharArray()).engine()).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerTls.of(CHAIN, file))
                .withMessageContaining(key)
                .withMessageContaining("a password is needed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerTls.of(CHAIN, file, "wrong".toCharArray()))
                .withMessageContaining("cannot be decrypted");
    }

    @Test
    void keyAndChainMayBeInOneFile(@TempDir Path directory) throws Exception {
        var both = directory.resolve("both.pem");
        Files.writeString(both, Files.readString(CHAIN) + Files.readString(TestTls.file("server.key")));
        assertThat(ServerTls.of(both, both).engine()).isNotNull();
    }

    @Test
    void whatIsWrongIsSaidAtOnce(@TempDir Path directory) throws Exception {
        var key = TestTls.file("server.key");
        assertThatThrownBy(() -> ServerTls.of(directory.resolve("none.pem"), key))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("none.pem");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerTls.of(key, key))
                .withMessageContaining("no certificate")
                .withMessageContaining("PRIVATE KEY");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerTls.of(CHAIN, CHAIN))
                .withMessageContaining("no private key");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerTls.of(CHAIN, TestTls.file("rsa.key")))
                .withMessageContaining("does not belong");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerTls.of(CHAIN, TestTls.file("other.key")))
                .withMessageContaining("does not belong");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerTls.of(TestTls.file("rsa.pem"), TestTls.file("rsa-old-encrypted.key")))
                .withMessageContaining("openssl pkcs8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientTls.defaults().trust(key))
                .withMessageContaining("no certificate");
    }

    @Test
    void brokenFilesAreNamed(@TempDir Path directory) throws Exception {
        var noPem = Files.writeString(directory.resolve("no.pem"), "hello");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientTls.defaults().trust(noPem))
                .withMessageContaining("no PEM block");
        var noBase64 = Files.writeString(
                directory.resolve("text.pem"), "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientTls.defaults().trust(noBase64))
                .withMessageContaining("base 64");
        for (var label : new String[] {"PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY"}) {
            var broken = Files.writeString(
                    directory.resolve("broken.pem"),
                    "-----BEGIN " + label + "-----\nMAMC\n-----END " + label + "-----\n");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ServerTls.of(CHAIN, broken, "x".toCharArray()))
                    .withMessageContaining("broken.pem");
        }
        var certificate = Files.writeString(
                directory.resolve("bad.pem"), "-----BEGIN CERTIFICATE-----\nMAMC\n-----END CERTIFICATE-----\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientTls.defaults().trust(certificate))
                .withMessageContaining("certificate 1")
                .withMessageContaining("bad.pem");
    }

    @Test
    void mistakesInSettingsAreNamed() {
        var client = ClientTls.defaults();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.protocols("TLSv9"))
                .withMessageContaining("TLSv9")
                .withMessageContaining("TLSv1.3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.ciphers("NONE"))
                .withMessageContaining("NONE");
        assertThatIllegalArgumentException().isThrownBy(client::protocols);
        assertThatIllegalArgumentException().isThrownBy(() -> client.applicationProtocols(""));
        assertThatIllegalArgumentException().isThrownBy(() -> client.applicationProtocols("x".repeat(256)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.handshakeTimeout(Duration.ZERO))
                .withMessageContaining("handshakeTimeout");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.shutdownTimeout(Duration.ofSeconds(-1)))
                .withMessageContaining("shutdownTimeout");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.engine(null, 1))
                .withMessageContaining("serverName");
        assertThatThrownBy(() -> ServerTls.of(TestTls.server().context()).trust(TestTls.file("root.pem")))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ClientTls.of(TestTls.server().context()).trust(TestTls.file("root.pem")))
                .isInstanceOf(IllegalStateException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> TestTls.server().forName("a.*", TestTls.server()));
    }

    @Test
    void namesAreChosenExactlyThenByPatternThenByFunction() {
        var standard = TestTls.server();
        var exact = TestTls.server("other");
        var pattern = TestTls.server("rsa");
        var chosen = TestTls.server("ed");
        var tls = standard.forName("Other.example", exact)
                .forName("*.wild.example", pattern)
                .forNames(name -> name.startsWith("chosen") ? chosen : null);
        assertThat(tls.hasNames()).isTrue();
        assertThat(standard.hasNames()).isFalse();
        assertThat(tls.select("other.EXAMPLE")).isSameAs(exact);
        assertThat(tls.select("a.wild.example")).isSameAs(pattern);
        assertThat(tls.select("a.b.wild.example")).isSameAs(tls);
        assertThat(tls.select("chosen.one")).isSameAs(chosen);
        assertThat(tls.select("localhost")).isSameAs(tls);
    }
}
