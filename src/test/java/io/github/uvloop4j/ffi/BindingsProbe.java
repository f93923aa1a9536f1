package io.github.uvloop4j.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

/**
 * Prints what the bindings find, for a JVM of its own: the choice of a libuv is made once in the life of a process.
 * One fact a line: {@code version}, {@code library}, {@code resolved}, {@code missing}, {@code constant}, {@code handle},
 * {@code request}, {@code loop}.
 */
final class BindingsProbe {
    private BindingsProbe() {}

    /** {@code args[0]}, where given, is the file to load before libuv.so.1 is asked for. */
    public static void main(String[] args) throws Throwable {
        if (args.length > 0) {
            SymbolLookup.libraryLookup(Path.of(args[0]), Arena.global());
        }
        print("version", uv.uv_version_string().getString(0), "");
        try (var maps = Files.lines(Path.of("/proc/self/maps"))) {
            maps.filter(line -> line.contains("uv"))
                    .filter(line -> line.indexOf('/') >= 0)
                    .map(line -> line.substring(line.indexOf('/')))
                    .distinct()
                    .forEach(file -> print("library", file, ""));
        }
        for (var header : new Class<?>[] {uv.class, libc.class}) {
            for (var method : header.getMethods()) {
                if (method.getName().endsWith("$address")) {
                    resolve(method.getName().replace("$address", ""), method);
                } else if (method.getParameterCount() == 0 && isConstant(method)) {
                    print("constant", method.getName(), method.invoke(null));
                }
            }
            for (var variadic : header.getClasses()) {
                resolve(variadic.getSimpleName(), variadic.getMethod("address"));
            }
        }
        print("loop", "uv_loop_t", uv.uv_loop_size());
        for (var type = uv.UV_ASYNC(); type < uv.UV_FILE(); type++) {
            print("handle", "uv_" + uv.uv_handle_type_name(type).getString(0) + "_t", uv.uv_handle_size(type));
        }
        for (var type = uv.UV_REQ(); type < uv.UV_REQ_TYPE_MAX(); type++) {
            print("request", requestType(uv.uv_req_type_name(type).getString(0)), uv.uv_req_size(type));
        }
    }

    private static String requestType(String name) {
        return "uv_" + name + "_t";
    }

    private static void resolve(String function, Method address) throws Throwable {
        try {
            print("resolved", function, ((MemorySegment) address.invoke(null)).address());
        } catch (InvocationTargetException e) {
            var causes = Stream.iterate(e, cause -> cause != null, Throwable::getCause);
            if (causes.noneMatch(NoSuchElementException.class::isInstance)) {
                throw e;
            }
            print("missing", function, "");
        }
    }

    private static boolean isConstant(Method method) {
        var name = method.getName();
        var first = Character.isUpperCase(name.codePointAt(name.startsWith("_") ? 1 : 0));
        return first && (method.getReturnType() == int.class || method.getReturnType() == long.class);
    }

    private static void print(String kind, String name, Object value) {
        System.out.println((kind + " " + name + " " + value).strip());
    }
}
