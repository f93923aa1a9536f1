package io.github.uvloop4j.guard;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The program that attaches the agent to another JVM. It uses nothing else of the library. */
final class AttachMain {
    private AttachMain() {}

    /** The arguments are the process and the agent's jar. */
    public static void main(String[] args) {
        var refused = attach(args[0], args[1]);
        if (refused != null) {
            System.out.println(refused);
            System.exit(1);
        }
    }

    /** Loads an agent into a JVM; returns why that failed, or null. */
    static @Nullable String attach(String process, String jar) {
        try {
            var machine = VirtualMachine.attach(process);
            try {
                machine.loadAgent(jar);
                return null;
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException | IOException e) {
            return e.toString();
        }
    }
}
