package io.github.uvloop4j.affinity;

/** Prints what a process finds, and asks for a CPU. */
final class TasksetMain {
    private TasksetMain() {}

    public static void main(String[] arguments) {
        System.out.println("initial " + Affinity.initial());
        System.out.println("allowed " + Affinity.allowed());
        System.out.println("processors " + Affinity.availableProcessors());
        Affinity.pin(Affinity.allowed());
        System.out.println("pinned " + Affinity.current());
        try {
            Affinity.pin(CpuSet.parse(arguments[0]));
            System.out.println("got " + arguments[0]);
        } catch (AffinityException e) {
            System.out.println("dropped " + e.dropped());
        }
    }
}
