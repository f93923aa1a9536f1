package io.github.uvloop4j.examples.http;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;

/** What an application does with a request. Runs on the loop thread, which it must not hold up. */
@FunctionalInterface
public interface Handler {
    /** The answer. What is thrown is an answer, too: that of an HttpException, else 500. */
    Response handle(Request request) throws Exception;

    /** The same in a task, so that the handler may wait: for a database, another server, a worker. */
    static Handler inTask(Handler handler) {
        return request -> {
            LoopFuture<Response> answer = EventLoop.current().spawn("request", () -> handler.handle(request));
            return new Response.Later(answer);
        };
    }
}
