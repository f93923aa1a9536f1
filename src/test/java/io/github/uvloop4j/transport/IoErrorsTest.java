package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IoErrorsTest {
    private static final Map<UvErrno, Class<? extends IOException>> FITTING = Map.of(
            UvErrno.ECONNREFUSED, ConnectException.class,
            UvErrno.EADDRINUSE, BindException.class,
            UvErrno.EADDRNOTAVAIL, BindException.class,
            UvErrno.EHOSTUNREACH, NoRouteToHostException.class,
            UvErrno.ENETUNREACH, NoRouteToHostException.class,
            UvErrno.ECONNRESET, SocketException.class,
            UvErrno.EPIPE, SocketException.class,
            UvErrno.ENOTCONN, SocketException.class,
            UvErrno.ENOENT, FileNotFoundException.class,
            UvErrno.EIO, IOException.class);

    @Test
    void eachCodeBecomesTheExceptionThatJavaCodeCatches() {
        FITTING.forEach((errno, type) -> assertThat(IoErrors.of(errno.code(), "try"))
                .isExactlyInstanceOf(type)
                .hasMessageStartingWith("try: " + errno.name() + " ("));
    }

    @ParameterizedTest
    @EnumSource(UvErrno.class)
    void theCauseIsLibuvsErrorWithoutAStack(UvErrno errno) {
        var error = IoErrors.of(errno.code(), "try");
        assertThat(error.getStackTrace()).isNotEmpty();
        assertThat(error.getCause()).isInstanceOfSatisfying(UvException.class, cause -> {
            assertThat(cause.errno()).isSameAs(errno);
            assertThat(cause.getStackTrace()).isEmpty();
        });
    }
}
