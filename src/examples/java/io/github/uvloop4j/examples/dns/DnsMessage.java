package io.github.uvloop4j.examples.dns;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A question, and what a server answers (RFC 1035, 4).
 *
 * @param id chosen by who asks
 * @param isResponse whether it is an answer
 * @param isTruncated whether the rest can be had over TCP
 * @param code 0 for success, 3 for a name that does not exist
 * @param name the name that was asked for, in lower case
 * @param type what of the name was asked for
 * @param answers what there is, in the order of the message
 */
public record DnsMessage(
        int id, boolean isResponse, boolean isTruncated, int code, String name, int type, List<Answer> answers) {
    /** The type of an IPv4 address. */
    public static final int A = 1;

    /** The type of an IPv6 address. */
    public static final int AAAA = 28;

    /** The code for a name that does not exist. */
    public static final int NO_SUCH_NAME = 3;

    private static final int CNAME = 5;
    private static final int INTERNET = 1;
    private static final int RESPONSE = 0x8000;
    private static final int TRUNCATED = 0x0200;
    private static final int RECURSION_DESIRED = 0x0100;
    private static final int MOST_ALIASES = 16;

    /**
     * A fact about a name.
     *
     * @param name the name, in lower case
     * @param address the address, or null
     * @param alias the name that it stands for, or null
     */
    public record Answer(String name, InetAddress address, String alias) {}

    /** A question for a name's addresses. */
    public static ByteBuffer question(int id, String name, int type) throws UnknownHostException {
        var message = ByteBuffer.allocate(512);
        message.putShort((short) id).putShort((short) RECURSION_DESIRED);
        message.putShort((short) 1).putShort((short) 0).putShort((short) 0).putShort((short) 0);
        DnsName.put(message, name);
        return message.putShort((short) type).putShort((short) INTERNET).flip();
    }

    /** Reads a message; it must have one question. */
    public static DnsMessage parse(ByteBuffer bytes) throws DnsException {
        try {
            return parseFrom(bytes.slice()); // pointers count from its beginning
        } catch (BufferUnderflowException end) {
            throw new DnsException("a message that is cut off");
        } catch (IOException bad) {
            throw bad instanceof DnsException known ? known : new DnsException(bad.getMessage());
        }
    }

    private static DnsMessage parseFrom(ByteBuffer bytes) throws IOException {
        int id = unsigned(bytes);
        int flags = unsigned(bytes);
        int questions = unsigned(bytes);
        int count = unsigned(bytes);
        bytes.getInt(); // how many of what nobody has asked for
        if (questions != 1) {
            throw new DnsException("not one question");
        }
        var name = DnsName.get(bytes);
        int type = unsigned(bytes);
        bytes.getShort();
        var answers = new ArrayList<Answer>();
        boolean truncated = (flags & TRUNCATED) != 0;
        for (int i = 0; i < count && !truncated; i++) {
            answer(bytes, answers);
        }
        return new DnsMessage(id, (flags & RESPONSE) != 0, truncated, flags & 0xf, name, type, List.copyOf(answers));
    }

    private static int unsigned(ByteBuffer bytes) {
        return bytes.getShort() & 0xffff;
    }

    private static void answer(ByteBuffer bytes, List<Answer> answers) throws IOException {
        var name = DnsName.get(bytes);
        int type = unsigned(bytes);
        bytes.getShort();
        bytes.getInt(); // how long it holds: nothing is kept here
        int length = unsigned(bytes);
        int next = bytes.position() + length;
        if (next > bytes.limit()) {
            throw new DnsException("a message that is cut off");
        }
        if (type == CNAME) {
            answers.add(new Answer(name, null, DnsName.get(bytes)));
        } else if ((type == A && length == 4) || (type == AAAA && length == 16)) {
            var address = new byte[length];
            bytes.get(address);
            answers.add(new Answer(name, InetAddress.getByAddress(name, address), null));
        }
        bytes.position(next);
    }

    /** Whether it answers a question: all that was asked comes back with the answer. */
    public boolean answers(int questionId, String questionName, int questionType) {
        return isResponse && id == questionId && type == questionType && name.equalsIgnoreCase(questionName);
    }

    /** The addresses of the name, or of the name that it stands for; what is said of other names does not count. */
    public List<InetAddress> addresses() {
        var wanted = name;
        for (int i = 0; i < MOST_ALIASES; i++) {
            var current = wanted;
            var found = answers.stream()
                    .filter(answer -> answer.name().equals(current) && answer.address() != null)
                    .map(Answer::address)
                    .toList();
            var alias = answers.stream()
                    .filter(answer -> answer.name().equals(current) && answer.alias() != null)
                    .map(Answer::alias)
                    .findFirst();
            if (!found.isEmpty() || alias.isEmpty()) {
                return found;
            }
            wanted = alias.get();
        }
        return List.of();
    }
}
