package io.github.uvloop4j.examples.http;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.tls.ServerTls;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A small site: a page with a script that tries out the rest, a text, an echo, numbers in chunks, an answer that takes
 * its time. SIGTERM and Ctrl-C stop it: clients get what they have asked for.
 */
public final class WebServer {
    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>uvloop4j</title></head>
            <body>
            <p id="hello"></p><p id="echo"></p><p id="count"></p><p id="wait"></p>
            <script>
            const show = async (id, answer) => {
              document.getElementById(id).textContent = await (await answer).text();
            };
            show('hello', fetch('/hello'));
            show('echo', fetch('/echo', {method: 'POST', body: 'déjà vu'}));
            show('count', fetch('/count?to=5'));
            show('wait', fetch('/wait?ms=20'));
            </script>
            </body>
            </html>
            """;

    private WebServer() {}

    /** What is served where. */
    public static Routes site() {
        var page = Response.of(200, "text/html; charset=utf-8", PAGE.getBytes(StandardCharsets.UTF_8));
        var hello = Response.text("Hello, world\n");
        return new Routes()
                .get("/", request -> page)
                .get("/hello", request -> hello)
                .post("/echo", WebServer::echo)
                .get("/count", WebServer::count)
                .get("/wait", Handler.inTask(WebServer::await));
    }

    private static Response echo(Request request) {
        var body = new byte[request.body().remaining()];
        request.body().get(body);
        return Response.of(200, "application/octet-stream", body);
    }

    private static Response count(Request request) throws HttpException {
        int last = request.query("to", 10);
        return Response.stream("text/plain", output -> {
            for (int i = 1; i <= last; i++) {
                output.write(i + "\n"); // parks while the client is slow
            }
        });
    }

    private static Response await(Request request) throws HttpException {
        int millis = request.query("ms", 100);
        Task.sleep(Duration.ofMillis(millis));
        return Response.text("after " + millis + " ms\n");
    }

    /**
     * Serves a port of the loopback interface, 8080 or the one that is given; with two files in PEM, of a chain of
     * certificates and of the key, over TLS.
     */
    public static void main(String[] args) throws Exception {
        int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
        var options = args.length < 3 ? ServerOptions.defaults() : secured(Path.of(args[1]), Path.of(args[2]));
        EventLoop.run(loop -> {
            var address = new InetSocketAddress("127.0.0.1", port);
            var http = HttpServer.start(loop, address, site(), HttpLimits.DEFAULT, options)
                    .await();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(loop, http)));
            System.out.println("listening on port " + http.server().port());
            http.server().waitClosed().await();
        });
    }

    private static ServerOptions secured(Path chain, Path key) {
        var tls = ServerTls.of(chain, key).applicationProtocols("http/1.1");
        return ServerOptions.defaults().tls(tls);
    }

    /** Holds up the end of the JVM until the clients have their answers. */
    private static void stop(EventLoop loop, HttpServer http) {
        try {
            loop.call(() -> {
                http.shutdown(Duration.ofSeconds(5)).await();
            });
        } catch (Exception unfinished) {
            System.err.println("not stopped: " + unfinished);
        }
    }
}
