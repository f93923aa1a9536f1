package io.github.uvloop4j.examples.dns;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A name server of a test, over UDP and TCP, which answers what its script says. */
final class NameServer implements AutoCloseable {
    /** What is sent back; nothing for silence. */
    interface Script {
        List<byte[]> answer(byte[] question, int number, boolean overTcp) throws IOException;
    }

    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final Script script;
    private final AtomicInteger questions = new AtomicInteger();

    NameServer(Script script) throws IOException {
        this.script = script;
        var loopback = InetAddress.ofLiteral("127.0.0.1");
        tcp = new ServerSocket(0, 50, loopback);
        udp = new DatagramSocket(tcp.getLocalPort(), loopback);
        Thread.ofPlatform().daemon().start(this::serveUdp);
        Thread.ofPlatform().daemon().start(this::serveTcp);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(udp.getLocalAddress(), udp.getLocalPort());
    }

    int questions() {
        return questions.get();
    }

    private void serveUdp() {
        var packet = new DatagramPacket(new byte[1500], 1500);
        try {
            while (true) {
                packet.setLength(1500);
                udp.receive(packet);
                var question = ByteBuffer.allocate(packet.getLength()).put(packet.getData(), 0, packet.getLength());
                for (var answer : script.answer(question.array(), questions.incrementAndGet(), false)) {
                    udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serveTcp() {
        while (!tcp.isClosed()) {
            try (var socket = tcp.accept()) {
                var input = new DataInputStream(socket.getInputStream());
                var question = input.readNBytes(input.readUnsignedShort());
                for (var answer : script.answer(question, questions.incrementAndGet(), true)) {
                    var output = new DataOutputStream(socket.getOutputStream());
                    output.writeShort(answer.length);
                    output.write(answer);
                }
            } catch (IOException closed) {
                // The test is over, or this client.
            }
        }
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
    }

    /** Bytes of answers. */
    static final class Answer {
        private final byte[] question;
        private final ByteArrayOutputStream records = new ByteArrayOutputStream();
        private int flags = 0x8180;
        private int count;

        Answer(byte[] question) {
            this.question = question;
        }

        Answer code(int code) {
            flags |= code;
            return this;
        }

        Answer truncated() {
            flags |= 0x200;
            return this;
        }

        /** An address of the name that was asked for, to which the record points back. */
        Answer address(String address) throws IOException {
            return record(new byte[] {(byte) 0xc0, 12}, InetAddress.ofLiteral(address));
        }

        Answer address(String name, String address) throws IOException {
            return record(name(name), InetAddress.ofLiteral(address));
        }

        private Answer record(byte[] name, InetAddress address) throws IOException {
            var bytes = address.getAddress();
            return record(name, bytes.length == 4 ? DnsMessage.A : DnsMessage.AAAA, bytes);
        }

        Answer alias(String target) throws IOException {
            return record(new byte[] {(byte) 0xc0, 12}, 5, name(target));
        }

        private Answer record(byte[] name, int type, byte[] data) throws IOException {
            var output = new DataOutputStream(records);
            output.write(name);
            output.writeShort(type);
            output.writeShort(1);
            output.writeInt(60);
            output.writeShort(data.length);
            output.write(data);
            count++;
            return this;
        }

        private static byte[] name(String name) {
            var bytes = new ByteArrayOutputStream();
            for (var label : name.split("\\.")) {
                bytes.write(label.length());
                bytes.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
            }
            bytes.write(0);
            return bytes.toByteArray();
        }

        byte[] bytes() {
            var bytes = ByteBuffer.allocate(question.length + records.size());
            bytes.put(question).put(records.toByteArray());
            bytes.putShort(2, (short) flags).putShort(6, (short) count);
            return bytes.array();
        }
    }
}
