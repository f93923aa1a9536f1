package io.github.uvloop4j.net;

/**
 * Who was at the other end of a Unix socket when it was connected, as the kernel tells it. A server's are those of the
 * moment it began to listen.
 *
 * @param pid the process; 0 when it is not visible from here
 * @param uid its effective user
 * @param gid its effective group
 */
public record PeerCredentials(long pid, long uid, long gid) {}
