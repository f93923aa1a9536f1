package io.github.uvloop4j.affinity;

/** Prints what a process finds whose first use of the package is on a thread that was pinned by other means. */
final class FirstUseMain {
    private FirstUseMain() {}

    public static void main(String[] arguments) {
        var cpu = CpuSet.parse(arguments[0]);
        new Masks(new AffinityCalls.Kernel()).set(0, cpu);
        System.out.println("current " + Affinity.current());
        System.out.println("initial " + Affinity.initial());
        System.out.println("allowed " + Affinity.allowed());
    }
}
