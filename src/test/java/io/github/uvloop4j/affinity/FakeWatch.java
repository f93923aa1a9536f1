package io.github.uvloop4j.affinity;

/** Watches over nobody: what is pinned is a fake. */
final class FakeWatch implements Binder.Watch {
    int expected;
    int changes;

    static Binder binder(AffinityCalls calls) {
        return new Binder(calls, binder -> new FakeWatch());
    }

    @Override
    public void expect() {
        expected++;
    }

    @Override
    public void changed() {
        changes++;
    }
}
