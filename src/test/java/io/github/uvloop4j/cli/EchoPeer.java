package io.github.uvloop4j.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;

/** A plain blocking echo server with a fault of choice: in a thread of the test, or as a program. */
public final class EchoPeer implements AutoCloseable {
    /** What is wrong with it. */
    public enum Fault {
        /** Nothing. */
        NONE,
        /** It changes one byte after the first 5000. */
        CORRUPT,
        /** It closes a connection after 5000 bytes. */
        CLOSE,
        /** It never answers. */
        SILENT,
        /** It sends every byte twice. */
        TWICE,
        /** As a program: it ends before it listens. */
        DIE
    }

    private static final int GOOD_BYTES = 5000;

    private final ServerSocket server;
    private final Fault fault;

    private EchoPeer(int port, Fault fault) throws IOException {
        server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
        this.fault = fault;
        Thread.ofVirtual().name("echo-peer").start(this::accept);
    }

    /** Starts one on a free port. */
    static EchoPeer start(Fault fault) throws IOException {
        return new EchoPeer(0, fault);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    String text() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                var socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    private void serve(Socket connection) {
        var buffer = new byte[65_536];
        var total = 0L;
        try (connection) {
            connection.setTcpNoDelay(true);
            var in = connection.getInputStream();
            var out = connection.getOutputStream();
            for (var length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                var last = total + length > GOOD_BYTES;
                total += length;
                if (last && fault == Fault.CLOSE) {
                    return;
                }
                if (last && fault == Fault.CORRUPT) {
                    buffer[length / 2] ^= 1;
                }
                if (fault != Fault.SILENT) {
                    out.write(buffer, 0, length);
                }
                if (fault == Fault.TWICE) {
                    out.write(buffer, 0, length);
                }
            }
        } catch (IOException _) {
            // The client is gone.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** The program: the name of a fault, {@code --addr} and an address. */
    public static void main(String[] args) throws IOException {
        var fault = Fault.valueOf(args[0].toUpperCase(Locale.ROOT));
        if (fault == Fault.DIE) {
            System.err.println("no peer today");
            System.exit(3);
        }
        var peer = new EchoPeer(Integer.parseInt(args[2].substring(args[2].indexOf(':') + 1)), fault);
        System.out.println(ProcessHandle.current().pid());
        System.out.println("listening on " + peer.text());
        while (System.in.read() >= 0) {
            // Serves until the parent is gone.
        }
    }
}
