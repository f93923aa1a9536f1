package io.github.uvloop4j.observe;

/** One look-up of a host name; each is an object of its own. */
public final class Lookup {
    private final String host;

    /** A look-up that is about to begin. */
    public Lookup(String host) {
        this.host = host;
    }

    /** What is looked up. */
    public String host() {
        return host;
    }

    @Override
    public String toString() {
        return "look-up of " + host;
    }
}
