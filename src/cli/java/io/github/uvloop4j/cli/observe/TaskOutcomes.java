package io.github.uvloop4j.cli.observe;

/**
 * How the tasks of a name ended.
 *
 * @param name their name, with # for numbers
 * @param completed how many completed
 * @param failed how many failed
 * @param cancelled how many were cancelled
 * @param error the error that came most often; empty when there was none
 */
public record TaskOutcomes(String name, long completed, long failed, long cancelled, String error) {
    /** How many ended. */
    public long ended() {
        return completed + failed + cancelled;
    }
}
