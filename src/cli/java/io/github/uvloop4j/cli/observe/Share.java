package io.github.uvloop4j.cli.observe;

/**
 * How much of a total belongs to a name.
 *
 * @param name whose
 * @param count its part
 * @param of the total
 */
public record Share(String name, long count, long of) {
    /** 0 to 1. */
    public double share() {
        return of == 0 ? 0 : (double) count / of;
    }
}
