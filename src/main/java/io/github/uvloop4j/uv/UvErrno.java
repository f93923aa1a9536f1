package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** libuv's error codes. Any thread. */
public enum UvErrno {
    /** libuv's {@code UV_E2BIG}. */
    E2BIG(uv.UV_E2BIG()),
    /** libuv's {@code UV_EACCES}. */
    EACCES(uv.UV_EACCES()),
    /** libuv's {@code UV_EADDRINUSE}. */
    EADDRINUSE(uv.UV_EADDRINUSE()),
    /** libuv's {@code UV_EADDRNOTAVAIL}. */
    EADDRNOTAVAIL(uv.UV_EADDRNOTAVAIL()),
    /** libuv's {@code UV_EAFNOSUPPORT}. */
    EAFNOSUPPORT(uv.UV_EAFNOSUPPORT()),
    /** libuv's {@code UV_EAGAIN}. */
    EAGAIN(uv.UV_EAGAIN()),
    /** libuv's {@code UV_EAI_ADDRFAMILY}. */
    EAI_ADDRFAMILY(uv.UV_EAI_ADDRFAMILY()),
    /** libuv's {@code UV_EAI_AGAIN}. */
    EAI_AGAIN(uv.UV_EAI_AGAIN()),
    /** libuv's {@code UV_EAI_BADFLAGS}. */
    EAI_BADFLAGS(uv.UV_EAI_BADFLAGS()),
    /** libuv's {@code UV_EAI_BADHINTS}. */
    EAI_BADHINTS(uv.UV_EAI_BADHINTS()),
    /** libuv's {@code UV_EAI_CANCELED}. */
    EAI_CANCELED(uv.UV_EAI_CANCELED()),
    /** libuv's {@code UV_EAI_FAIL}. */
    EAI_FAIL(uv.UV_EAI_FAIL()),
    /** libuv's {@code UV_EAI_FAMILY}. */
    EAI_FAMILY(uv.UV_EAI_FAMILY()),
    /** libuv's {@code UV_EAI_MEMORY}. */
    EAI_MEMORY(uv.UV_EAI_MEMORY()),
    /** libuv's {@code UV_EAI_NODATA}. */
    EAI_NODATA(uv.UV_EAI_NODATA()),
    /** libuv's {@code UV_EAI_NONAME}. */
    EAI_NONAME(uv.UV_EAI_NONAME()),
    /** libuv's {@code UV_EAI_OVERFLOW}. */
    EAI_OVERFLOW(uv.UV_EAI_OVERFLOW()),
    /** libuv's {@code UV_EAI_PROTOCOL}. */
    EAI_PROTOCOL(uv.UV_EAI_PROTOCOL()),
    /** libuv's {@code UV_EAI_SERVICE}. */
    EAI_SERVICE(uv.UV_EAI_SERVICE()),
    /** libuv's {@code UV_EAI_SOCKTYPE}. */
    EAI_SOCKTYPE(uv.UV_EAI_SOCKTYPE()),
    /** libuv's {@code UV_EALREADY}. */
    EALREADY(uv.UV_EALREADY()),
    /** libuv's {@code UV_EBADF}. */
    EBADF(uv.UV_EBADF()),
    /** libuv's {@code UV_EBUSY}. */
    EBUSY(uv.UV_EBUSY()),
    /** libuv's {@code UV_ECANCELED}. */
    ECANCELED(uv.UV_ECANCELED()),
    /** libuv's {@code UV_ECHARSET}. */
    ECHARSET(uv.UV_ECHARSET()),
    /** libuv's {@code UV_ECONNABORTED}. */
    ECONNABORTED(uv.UV_ECONNABORTED()),
    /** libuv's {@code UV_ECONNREFUSED}. */
    ECONNREFUSED(uv.UV_ECONNREFUSED()),
    /** libuv's {@code UV_ECONNRESET}. */
    ECONNRESET(uv.UV_ECONNRESET()),
    /** libuv's {@code UV_EDESTADDRREQ}. */
    EDESTADDRREQ(uv.UV_EDESTADDRREQ()),
    /** libuv's {@code UV_EEXIST}. */
    EEXIST(uv.UV_EEXIST()),
    /** libuv's {@code UV_EFAULT}. */
    EFAULT(uv.UV_EFAULT()),
    /** libuv's {@code UV_EFBIG}. */
    EFBIG(uv.UV_EFBIG()),
    /** libuv's {@code UV_EHOSTUNREACH}. */
    EHOSTUNREACH(uv.UV_EHOSTUNREACH()),
    /** libuv's {@code UV_EINTR}. */
    EINTR(uv.UV_EINTR()),
    /** libuv's {@code UV_EINVAL}. */
    EINVAL(uv.UV_EINVAL()),
    /** libuv's {@code UV_EIO}. */
    EIO(uv.UV_EIO()),
    /** libuv's {@code UV_EISCONN}. */
    EISCONN(uv.UV_EISCONN()),
    /** libuv's {@code UV_EISDIR}. */
    EISDIR(uv.UV_EISDIR()),
    /** libuv's {@code UV_ELOOP}. */
    ELOOP(uv.UV_ELOOP()),
    /** libuv's {@code UV_EMFILE}. */
    EMFILE(uv.UV_EMFILE()),
    /** libuv's {@code UV_EMSGSIZE}. */
    EMSGSIZE(uv.UV_EMSGSIZE()),
    /** libuv's {@code UV_ENAMETOOLONG}. */
    ENAMETOOLONG(uv.UV_ENAMETOOLONG()),
    /** libuv's {@code UV_ENETDOWN}. */
    ENETDOWN(uv.UV_ENETDOWN()),
    /** libuv's {@code UV_ENETUNREACH}. */
    ENETUNREACH(uv.UV_ENETUNREACH()),
    /** libuv's {@code UV_ENFILE}. */
    ENFILE(uv.UV_ENFILE()),
    /** libuv's {@code UV_ENOBUFS}. */
    ENOBUFS(uv.UV_ENOBUFS()),
    /** libuv's {@code UV_ENODEV}. */
    ENODEV(uv.UV_ENODEV()),
    /** libuv's {@code UV_ENOENT}. */
    ENOENT(uv.UV_ENOENT()),
    /** libuv's {@code UV_ENOMEM}. */
    ENOMEM(uv.UV_ENOMEM()),
    /** libuv's {@code UV_ENONET}. */
    ENONET(uv.UV_ENONET()),
    /** libuv's {@code UV_ENOPROTOOPT}. */
    ENOPROTOOPT(uv.UV_ENOPROTOOPT()),
    /** libuv's {@code UV_ENOSPC}. */
    ENOSPC(uv.UV_ENOSPC()),
    /** libuv's {@code UV_ENOSYS}. */
    ENOSYS(uv.UV_ENOSYS()),
    /** libuv's {@code UV_ENOTCONN}. */
    ENOTCONN(uv.UV_ENOTCONN()),
    /** libuv's {@code UV_ENOTDIR}. */
    ENOTDIR(uv.UV_ENOTDIR()),
    /** libuv's {@code UV_ENOTEMPTY}. */
    ENOTEMPTY(uv.UV_ENOTEMPTY()),
    /** libuv's {@code UV_ENOTSOCK}. */
    ENOTSOCK(uv.UV_ENOTSOCK()),
    /** libuv's {@code UV_ENOTSUP}. */
    ENOTSUP(uv.UV_ENOTSUP()),
    /** libuv's {@code UV_EOVERFLOW}. */
    EOVERFLOW(uv.UV_EOVERFLOW()),
    /** libuv's {@code UV_EPERM}. */
    EPERM(uv.UV_EPERM()),
    /** libuv's {@code UV_EPIPE}. */
    EPIPE(uv.UV_EPIPE()),
    /** libuv's {@code UV_EPROTO}. */
    EPROTO(uv.UV_EPROTO()),
    /** libuv's {@code UV_EPROTONOSUPPORT}. */
    EPROTONOSUPPORT(uv.UV_EPROTONOSUPPORT()),
    /** libuv's {@code UV_EPROTOTYPE}. */
    EPROTOTYPE(uv.UV_EPROTOTYPE()),
    /** libuv's {@code UV_ERANGE}. */
    ERANGE(uv.UV_ERANGE()),
    /** libuv's {@code UV_EROFS}. */
    EROFS(uv.UV_EROFS()),
    /** libuv's {@code UV_ESHUTDOWN}. */
    ESHUTDOWN(uv.UV_ESHUTDOWN()),
    /** libuv's {@code UV_ESPIPE}. */
    ESPIPE(uv.UV_ESPIPE()),
    /** libuv's {@code UV_ESRCH}. */
    ESRCH(uv.UV_ESRCH()),
    /** libuv's {@code UV_ETIMEDOUT}. */
    ETIMEDOUT(uv.UV_ETIMEDOUT()),
    /** libuv's {@code UV_ETXTBSY}. */
    ETXTBSY(uv.UV_ETXTBSY()),
    /** libuv's {@code UV_EXDEV}. */
    EXDEV(uv.UV_EXDEV()),
    /** libuv's {@code UV_EOF}. */
    EOF(uv.UV_EOF()),
    /** libuv's {@code UV_ENXIO}. */
    ENXIO(uv.UV_ENXIO()),
    /** libuv's {@code UV_EMLINK}. */
    EMLINK(uv.UV_EMLINK()),
    /** libuv's {@code UV_EHOSTDOWN}. */
    EHOSTDOWN(uv.UV_EHOSTDOWN()),
    /** libuv's {@code UV_EREMOTEIO}. */
    EREMOTEIO(uv.UV_EREMOTEIO()),
    /** libuv's {@code UV_ENOTTY}. */
    ENOTTY(uv.UV_ENOTTY()),
    /** libuv's {@code UV_EFTYPE}. */
    EFTYPE(uv.UV_EFTYPE()),
    /** libuv's {@code UV_EILSEQ}. */
    EILSEQ(uv.UV_EILSEQ()),
    /** libuv's {@code UV_ESOCKTNOSUPPORT}. */
    ESOCKTNOSUPPORT(uv.UV_ESOCKTNOSUPPORT()),
    /** libuv's {@code UV_ENODATA}. */
    ENODATA(uv.UV_ENODATA()),
    /** libuv's {@code UV_EUNATCH}. */
    EUNATCH(uv.UV_EUNATCH()),
    /** libuv's {@code UV_ENOEXEC}. */
    ENOEXEC(uv.UV_ENOEXEC()),
    /** A code that this version does not know. */
    UNKNOWN(-4094);

    private static final Map<Integer, UvErrno> BY_CODE = new HashMap<>();

    static {
        for (var errno : values()) {
            BY_CODE.put(errno.code, errno);
        }
    }

    private final int code;

    UvErrno(int code) {
        this.code = code;
    }

    /** The negative number that libuv returns. */
    public int code() {
        return code;
    }

    /** What the code means, in words. Binds {@code uv_strerror}. */
    public String description() {
        return this == UNKNOWN
                ? "unknown error"
                : uv.uv_strerror(code).getString(0).toLowerCase(Locale.ROOT);
    }

    /** The constant for a negative status of libuv, or UNKNOWN. */
    public static UvErrno of(int status) {
        return BY_CODE.getOrDefault(status, UNKNOWN);
    }
}
