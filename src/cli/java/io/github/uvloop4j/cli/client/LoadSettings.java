package io.github.uvloop4j.cli.client;

import java.time.Duration;

/**
 * What {@link LoadClient} shall do.
 *
 * @param destination the server
 * @param messageSize bytes of a message, its newline included
 * @param messagesPerRequest messages sent together; the round trip of a request is what latency means
 * @param connections open at the same time
 * @param inFlight requests in flight on each connection
 * @param warmupMessages exchanged before measuring begins
 * @param duration of the measurement; zero: until {@code messages} are through
 * @param messages to measure, on all connections together; used when the duration is zero
 * @param timeout without any reply after which the run fails
 */
public record LoadSettings(
        Destination destination,
        int messageSize,
        int messagesPerRequest,
        int connections,
        int inFlight,
        long warmupMessages,
        Duration duration,
        long messages,
        Duration timeout) {

    int requestSize() {
        return messageSize * messagesPerRequest;
    }
}
