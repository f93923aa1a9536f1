package io.github.uvloop4j.examples.http;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Chooses a handler by path and method: 404 for other paths, 405 for other methods. */
public final class Routes implements Handler {
    private static final Response NOT_FOUND = Response.error(404, "there is nothing here");

    private final Map<String, Map<String, Handler>> paths = new HashMap<>();

    /** Adds a handler for GET, and for HEAD, whose answer goes without its body. */
    public Routes get(String path, Handler handler) {
        return on("GET", path, handler).on("HEAD", path, handler);
    }

    /** Adds a handler for POST. */
    public Routes post(String path, Handler handler) {
        return on("POST", path, handler);
    }

    /** Adds a handler. */
    public Routes on(String method, String path, Handler handler) {
        paths.computeIfAbsent(path, unknown -> new TreeMap<>()).put(method, handler);
        return this;
    }

    @Override
    public Response handle(Request request) throws Exception {
        var methods = paths.get(request.path());
        if (methods == null) {
            return NOT_FOUND;
        }
        var handler = methods.get(request.method());
        return handler == null
                ? Response.error(405, "not with this method").header("Allow", String.join(", ", methods.keySet()))
                : handler.handle(request);
    }
}
