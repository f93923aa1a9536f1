package io.github.uvloop4j.benchmarks.peers;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.examples.http.HttpLimits;
import io.github.uvloop4j.examples.http.HttpServer;
import io.github.uvloop4j.examples.http.WebServer;
import io.github.uvloop4j.net.ServerOptions;
import java.util.List;

/** The HTTP server of the examples, on one loop: {@code --addr HOST:PORT}. */
public final class ExampleHttp {
    private ExampleHttp() {}

    public static void main(String[] args) throws Exception {
        var process = PeerProcess.parse(args, List.of("--addr"));
        if (process.asksVersion()) {
            System.out.println("JDK " + Runtime.version());
            return;
        }
        var options = ServerOptions.defaults().backlog(PeerProcess.BACKLOG);
        EventLoop.run(loop -> {
            var http = HttpServer.start(loop, process.address(), WebServer.site(), HttpLimits.DEFAULT, options)
                    .await();
            process.announce(http.server().address());
            http.server().waitClosed().await();
        });
    }
}
