package io.github.uvloop4j.uv;

import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** The kinds of callbacks that libuv makes, each with what it takes to get one. */
enum UpcallKind {
    TIMER {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            var timer = new UvTimer(loop);
            timer.start(() -> act.accept(timer), 1, 0);
        }
    },
    ASYNC {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            var handle = new UvAsync[1];
            handle[0] = new UvAsync(loop, () -> act.accept(handle[0]));
            handle[0].send();
        }
    },
    IDLE {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            var idle = new UvIdle(loop);
            idle.start(() -> act.accept(idle));
        }
    },
    PREPARE {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            var prepare = new UvPrepare(loop);
            prepare.start(() -> act.accept(prepare));
        }
    },
    CHECK {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            var check = new UvCheck(loop);
            check.start(() -> act.accept(check));
        }
    },
    CLOSE {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            var timer = new UvTimer(loop);
            timer.close(() -> act.accept(timer));
        }
    },
    POLL {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            withPair(loop, (client, server) -> {
                int copy = io.github.uvloop4j.testing.Fds.dup(client.fileno());
                var poll = new UvPoll(loop, copy);
                poll.start(UvPoll.WRITABLE, (status, events) -> act.accept(poll));
            });
        }
    },
    CONNECTION {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            var listener = listener(loop, act);
            connect(loop, listener, client -> {});
        }
    },
    CONNECT {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            connect(loop, listener(loop, ignored -> {}), act::accept);
        }
    },
    WRITE {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            withPair(loop, (client, server) -> write(client, act));
        }
    },
    SHUTDOWN {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            withPair(loop, (client, server) -> {
                var request = new UvShutdown(loop);
                client.shutdown(request, status -> {
                    request.free();
                    act.accept(client);
                });
            });
        }
    },
    ALLOCATE {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            withPair(loop, (client, server) -> {
                client.readStart(new UvStream.Reader() {
                    @Override
                    public void allocate(UvStream stream, long suggested) {
                        act.accept(stream);
                    }

                    @Override
                    public void read(UvStream stream, int count) {
                        stream.readStop();
                    }
                });
                write(server, ignored -> {});
            });
        }
    },
    READ {
        @Override
        void begin(UvLoop loop, Consumer<UvHandle> act) {
            withPair(loop, (client, server) -> {
                var memory = Arena.ofAuto().allocate(100);
                client.readStart(new UvStream.Reader() {
                    @Override
                    public void allocate(UvStream stream, long suggested) {
                        stream.lend(memory, 0, 100);
                    }

                    @Override
                    public void read(UvStream stream, int count) {
                        act.accept(stream);
                    }
                });
                write(server, ignored -> {});
            });
        }
    };

    /** Brings about a callback in which the action is called with its handle. */
    abstract void begin(UvLoop loop, Consumer<UvHandle> act);

    /** What is done with both ends of a connection. */
    interface Pair {
        void use(UvTcp client, UvTcp server);
    }

    private static UvTcp listener(UvLoop loop, Consumer<UvHandle> act) {
        var listener = new UvTcp(loop);
        listener.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), false);
        listener.listen(5, status -> act.accept(listener));
        return listener;
    }

    private static void connect(UvLoop loop, UvTcp listener, Consumer<UvTcp> act) {
        var client = new UvTcp(loop);
        var request = new UvConnect(loop);
        client.connect(request, listener.localAddress(), status -> {
            request.free();
            act.accept(client);
        });
    }

    private static void withPair(UvLoop loop, Pair pair) {
        var ends = new UvTcp[2];
        var listener = listener(loop, handle -> {
            var server = new UvTcp(loop);
            ((UvTcp) handle).accept(server);
            handle.close();
            ends[1] = server;
            if (ends[0] != null) {
                pair.use(ends[0], server);
            }
        });
        connect(loop, listener, client -> {
            ends[0] = client;
            if (ends[1] != null) {
                pair.use(client, ends[1]);
            }
        });
    }

    private static void write(UvTcp stream, Consumer<UvHandle> act) {
        var request = new UvWrite(stream.loop(), 1);
        request.add(Arena.ofAuto().allocate(10), 0, 10);
        stream.write(request, status -> {
            request.free();
            act.accept(stream);
        });
    }
}
