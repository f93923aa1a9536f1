package io.github.uvloop4j.dns;

/**
 * The names of an address and its port. Any thread.
 *
 * @param host the name of the host, or its address
 * @param service the name of the service, or the number of the port
 */
public record NameInfo(String host, String service) {}
