package io.github.uvloop4j.pool;

/** Why a pool closed a connection. */
public enum DiscardReason {
    /** Nobody wanted it for longer than {@link PoolOptions#maxIdleTime}. */
    IDLE,
    /** It reached {@link PoolOptions#maxLifetime}, less its share of jitter. */
    LIFETIME,
    /** {@link Connector#isClean} or {@link Connector#isAlive} said no. */
    UNHEALTHY,
    /** Its lease was closed without release, or the body of a call failed: an exchange may be half done. */
    FAILED,
    /** Its lease was garbage collected, neither released nor closed. */
    DROPPED,
    /** The pool was closed. */
    CLOSED
}
