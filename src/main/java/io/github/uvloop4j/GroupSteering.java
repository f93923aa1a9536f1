package io.github.uvloop4j;

import io.github.uvloop4j.affinity.KernelVersion;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.transport.ServerLinks;
import java.io.IOException;
import java.util.Arrays;

/** What a group's steering means with its loops, on this kernel. */
final class GroupSteering {
    /** Before, the option was ignored among sockets that share a port. */
    private static final KernelVersion INCOMING_CPU_SINCE = new KernelVersion(6, 2);

    private static final KernelVersion CBPF_SINCE = new KernelVersion(4, 5);

    private GroupSteering() {}

    static void check(GroupOptions options) {
        choose(options.steering(), GroupPlan.of(options), KernelVersion.current());
    }

    static Steering choose(EventLoopGroup group) {
        return choose(group.options().steering(), group.plan(), KernelVersion.current());
    }

    /** Never {@code CPU}. Throws IllegalArgumentException for what cannot be had. */
    static Steering choose(Steering asked, GroupPlan plan, KernelVersion kernel) {
        return switch (asked) {
            case HASH, ACCEPTOR -> asked;
            case INCOMING_CPU -> {
                require(plan.isOneEach(), asked, "loops that are pinned to one CPU each, and no two to the same");
                requireKernel(asked, kernel, INCOMING_CPU_SINCE);
                yield asked;
            }
            case CBPF -> {
                require(plan.isDisjoint(), asked, "loops that are pinned, and no two to the same CPU");
                requireKernel(asked, kernel, CBPF_SINCE);
                yield asked;
            }
            case CPU ->
                plan.isOneEach() && kernel.compareTo(INCOMING_CPU_SINCE) >= 0
                        ? Steering.INCOMING_CPU
                        : choose(Steering.CBPF, plan, kernel);
        };
    }

    private static void require(boolean met, Steering steering, String what) {
        if (!met) {
            throw new IllegalArgumentException("steering " + steering + " needs " + what);
        }
    }

    private static void requireKernel(Steering steering, KernelVersion kernel, KernelVersion since) {
        require(kernel.compareTo(since) >= 0, steering, "Linux " + since + ", this is " + kernel);
    }

    /** Sets up a server that is bound and does not listen yet, in the order of the loops. */
    static void apply(Steering steering, GroupPlan plan, int index, Server server) throws IOException {
        if (steering == Steering.INCOMING_CPU) {
            ServerLinks.incomingCpu(server, plan.cpus(index).first());
        } else if (steering == Steering.CBPF && index == 0) {
            ServerLinks.program(server, loopOfCpu(plan), plan.pinnings().size());
        }
    }

    private static int[] loopOfCpu(GroupPlan plan) {
        int last = plan.pinnings().stream()
                .mapToInt(pinning -> pinning.cpus().last())
                .max()
                .orElse(-1);
        var loopOf = new int[last + 1];
        Arrays.fill(loopOf, -1);
        for (int i = 0; i < plan.pinnings().size(); i++) {
            int loop = i;
            plan.cpus(loop).stream().forEach(cpu -> loopOf[cpu] = loop);
        }
        return loopOf;
    }
}
