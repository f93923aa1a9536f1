package io.github.uvloop4j.examples.http;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ExceptionContext;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.Transport;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CancellationException;

/**
 * One client. A request is looked at when the answer to the one before it is out, so that answers come in order however
 * many requests were sent at once; meanwhile the kernel keeps what else arrives.
 */
final class HttpConnection implements Protocol {
    /** What the connection waits for; each has its own limit. */
    enum Phase {
        NEXT_REQUEST,
        REST_OF_REQUEST,
        ANSWER,
        CLIENT_TO_READ,
        CLIENT_TO_LEAVE
    }

    private final HttpServer server;
    private final HttpParser parser;
    private final WriteGate gate = new WriteGate();
    private Transport transport;
    private Phase phase = Phase.NEXT_REQUEST;
    private long deadline;
    private long unsent;

    /** The task that makes an answer, while there is one. */
    private LoopFuture<?> working;

    private boolean answering;
    private boolean ending;
    private boolean clientEnded;

    HttpConnection(HttpServer server) {
        this.server = server;
        this.parser = new HttpParser(server.limits());
    }

    @Override
    public void connectionMade(Transport made) {
        transport = made;
        server.opened(this);
        await(Phase.NEXT_REQUEST);
    }

    @Override
    public void dataReceived(ByteBuffer data) {
        if (ending) {
            data.position(data.limit()); // it was told that nothing more is read
        } else {
            parser.feed(data);
            advance(false);
        }
    }

    /** Goes as far as bytes and answers allow. */
    private void advance(boolean answered) {
        boolean progress = answered;
        try {
            while (!answering && !ending && !gate.isShut()) {
                var event = parser.next();
                if (event == HttpParser.Event.MORE) {
                    break;
                } else if (event == HttpParser.Event.COMPLETE) {
                    progress = true;
                    handle(parser.request());
                } else if (parser.expectsContinue()) {
                    server.outbox().putContinue(transport);
                }
            }
        } catch (HttpException refused) {
            refuse(refused);
        } catch (RuntimeException | Error broken) {
            server.outbox().clear(); // what is left in it would go to the next client
            transport.abort();
            throw broken;
        }
        server.outbox().flush(transport);
        rest(progress);
    }

    private void handle(Request request) {
        Response response;
        try {
            response = Objects.requireNonNull(server.handler().handle(request), "the handler has no answer");
        } catch (Throwable failure) {
            response = failed(failure);
        }
        answer(response);
    }

    private Response failed(Throwable failure) {
        if (failure instanceof HttpException known) {
            return Response.error(known.status(), known.getMessage());
        }
        EventLoop.current()
                .callExceptionHandler(
                        new ExceptionContext("no answer to " + parser.request(), failure, server.handler(), null));
        return Response.error(500, "the server has made a mistake");
    }

    private void answer(Response response) {
        var request = parser.request();
        boolean http10 = request.isHttp10();
        boolean bodyless = request.method().equals("HEAD");
        switch (response) {
            case Response.Whole whole -> {
                boolean close = !parser.keepsAlive() || server.isStopping();
                server.outbox().putHead(transport, whole.head(), false, close, http10);
                if (!bodyless) {
                    server.outbox().put(transport, whole.body());
                }
                ending = close;
            }
            case Response.Streamed streamed -> {
                boolean close = !parser.keepsAlive() || server.isStopping() || http10;
                server.outbox().putHead(transport, streamed.head(), !http10, close, http10);
                ending = close;
                if (!bodyless) {
                    stream(streamed.body(), new BodyOutput(transport, gate, !http10));
                }
            }
            case Response.Later later -> {
                answering = true;
                working = later.response();
                later.response().whenDone(this::arrived);
            }
        }
    }

    private void arrived(Response response, Throwable failure) {
        answering = false;
        working = null;
        if (!transport.isClosing()) {
            var missing =
                    failure == null && response == null ? new NullPointerException("the task has no answer") : failure;
            answer(missing == null ? response : failed(missing));
            advance(true);
        }
    }

    private void stream(Response.Body body, BodyOutput output) {
        server.outbox().flush(transport);
        answering = true;
        working = EventLoop.current().spawn("body", () -> {
            try {
                body.writeTo(output);
                output.end();
                answering = false;
                working = null;
                advance(true);
            } catch (Throwable failure) {
                boolean clientIsGone = transport.isClosing();
                transport.reset(); // a close would look like a shorter body
                if (!clientIsGone && !(failure instanceof CancellationException)) {
                    failed(failure);
                }
            }
        });
    }

    private void refuse(HttpException refused) {
        var response = Response.error(refused.status(), refused.getMessage());
        server.outbox().putHead(transport, response.head(), false, true, false);
        server.outbox().put(transport, response.body());
        ending = true;
    }

    /** Nothing more can be done now: settles whether to read on, and for how long to wait for what. */
    private void rest(boolean progress) {
        Phase next;
        if (gate.isShut()) {
            next = Phase.CLIENT_TO_READ;
        } else if (answering) {
            next = Phase.ANSWER;
        } else if (ending || clientEnded) {
            leave();
            next = Phase.CLIENT_TO_LEAVE;
        } else {
            next = parser.isInRequest() ? Phase.REST_OF_REQUEST : Phase.NEXT_REQUEST;
        }
        if (progress || next != phase) {
            await(next);
        }
        if (parser.unread() > 0 && !ending && (answering || gate.isShut())) {
            transport.pauseReading();
        } else if (!transport.isReading()) {
            transport.resumeReading();
        }
    }

    private void await(Phase next) {
        phase = next;
        deadline = server.deadlineOf(next);
        unsent = transport.writeBufferSize();
    }

    /** Closing at once would reset the connection while the client still sends, and take the answer away from it. */
    private void leave() {
        ending = true;
        if (clientEnded || !transport.canWriteEof()) {
            transport.close();
        } else {
            transport.writeEof();
        }
    }

    @Override
    public boolean eofReceived() {
        clientEnded = true;
        return answering || gate.isShut(); // it may still want its answer
    }

    @Override
    public void pauseWriting() {
        gate.shut();
        if (phase == Phase.ANSWER) {
            await(Phase.CLIENT_TO_READ);
        }
    }

    @Override
    public void resumeWriting() {
        gate.open();
        advance(true);
    }

    @Override
    public void connectionLost(Throwable cause) {
        server.lost(this);
        gate.open();
        if (working != null) {
            working.cancel();
        }
    }

    /** The clock has moved on. */
    void tick(long now) {
        if (now - deadline < 0) {
            return;
        }
        switch (phase) {
            case NEXT_REQUEST -> stop();
            case REST_OF_REQUEST -> {
                refuse(new HttpException(408, "the request took too long to arrive"));
                server.outbox().flush(transport);
                rest(true);
            }
            case CLIENT_TO_LEAVE -> {
                transport.close();
                await(Phase.CLIENT_TO_READ); // there may still be something to send
            }
            case CLIENT_TO_READ -> {
                if (transport.writeBufferSize() < unsent) {
                    await(Phase.CLIENT_TO_READ); // slow, but it reads
                } else {
                    transport.reset();
                }
            }
            case ANSWER -> {} // the handler's own affair
        }
    }

    /** Who waits for nothing may go. */
    void stop() {
        if (phase == Phase.NEXT_REQUEST) {
            leave();
            await(Phase.CLIENT_TO_LEAVE);
        }
    }
}
