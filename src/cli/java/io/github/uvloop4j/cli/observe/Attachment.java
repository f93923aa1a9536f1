package io.github.uvloop4j.cli.observe;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.github.uvloop4j.cli.CliFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A connection to the management of another JVM on this machine, which was started without anything for it. Any thread. */
final class Attachment implements AutoCloseable {
    private static final String RECORDER = "jdk.management.jfr:type=FlightRecorder";
    private static final String INSTEAD =
            "; what works without: start it with -XX:StartFlightRecording:filename=FILE and give FILE to doctor";

    /** A JVM that hangs must not hang this one. RMI reads it when it is first used. */
    private static final String ANSWER_LIMIT = "sun.rmi.transport.tcp.responseTimeout";

    private static final String ANSWER_LIMIT_MILLIS = "15000";

    private final JMXConnector connector;
    private final MBeanServerConnection connection;

    private Attachment(JMXConnector connector, MBeanServerConnection connection) {
        this.connector = connector;
        this.connection = connection;
    }

    /**
     * Connects to a JVM.
     *
     * @throws CliFailure if that cannot be done: why, and what still can
     */
    @SuppressWarnings("BanJNDI") // The address is that of a process that the kernel lets this user attach to.
    static Attachment to(long pid) {
        requireJvm(pid);
        var address = address(pid);
        if (System.getProperty(ANSWER_LIMIT) == null) {
            System.setProperty(ANSWER_LIMIT, ANSWER_LIMIT_MILLIS);
        }
        try {
            var connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
            var attachment = new Attachment(connector, connector.getMBeanServerConnection());
            attachment.requireRecorder(pid);
            return attachment;
        } catch (IOException e) {
            throw new CliFailure("cannot talk to the management of process " + pid + ": " + e.getMessage() + INSTEAD);
        }
    }

    MBeanServerConnection connection() {
        return connection;
    }

    /** Whoever is no JVM may take the signal that asks it to listen for its end. */
    private static void requireJvm(long pid) {
        if (pid == ProcessHandle.current().pid()) {
            throw new CliFailure("process " + pid + " is this program itself: give the one that is to be looked at");
        }
        var process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        if (process.isEmpty()) {
            throw new CliFailure("no process " + pid + " runs on this machine");
        }
        try {
            if (!isJvm(pid)) {
                throw new CliFailure("process " + pid + nameOf(process.get()) + " is no JVM");
            }
        } catch (IOException _) {
            throw new CliFailure(notAllowed(pid, process.get()));
        }
    }

    /** Whether a process has the library of a JVM in its memory. */
    static boolean isJvm(long pid) throws IOException {
        try (var lines = Files.lines(
                Path.of("/proc", Long.toString(pid), "maps"), java.nio.charset.StandardCharsets.ISO_8859_1)) {
            return lines.anyMatch(line -> line.contains("/libjvm.so"));
        } catch (java.io.UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static String nameOf(ProcessHandle process) {
        return process.info()
                .command()
                .map(name -> " (" + Path.of(name).getFileName() + ")")
                .orElse("");
    }

    private static String notAllowed(long pid, ProcessHandle process) {
        return "process " + pid + " belongs to " + process.info().user().orElse("another user")
                + ": run this as that user" + INSTEAD;
    }

    private static String address(long pid) {
        VirtualMachine machine;
        try {
            machine = VirtualMachine.attach(Long.toString(pid));
        } catch (AttachNotSupportedException e) {
            throw new CliFailure(
                    "process " + pid + " does not let others attach (-XX:+DisableAttachMechanism?), or hangs: "
                            + e.getMessage() + INSTEAD);
        } catch (IOException e) {
            var process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
            throw new CliFailure(
                    process.isEmpty()
                            ? "process " + pid + " has ended"
                            : notAllowed(pid, process.get()) + " (" + e.getMessage() + ")");
        }
        try {
            return machine.startLocalManagementAgent();
        } catch (IOException e) {
            throw new CliFailure("process " + pid + " cannot start its management agent (module jdk.management.agent): "
                    + e.getMessage() + INSTEAD);
        } finally {
            detach(machine);
        }
    }

    private static void detach(VirtualMachine machine) {
        try {
            machine.detach();
        } catch (IOException _) {
            // It holds nothing there.
        }
    }

    private void requireRecorder(long pid) throws IOException {
        try {
            if (!connection.isRegistered(new ObjectName(RECORDER))) {
                close();
                throw new CliFailure("process " + pid
                        + " has no flight recorder: its runtime lacks the modules jdk.jfr and jdk.management.jfr;"
                        + " what works without: loop.statistics() in the program");
            }
        } catch (javax.management.MalformedObjectNameException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException _) {
            // The other JVM is gone, and the connection with it.
        }
    }
}
