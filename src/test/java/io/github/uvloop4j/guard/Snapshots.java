package io.github.uvloop4j.guard;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Sees what each class of the table looks like whenever it is changed or restored. */
final class Snapshots implements ClassFileTransformer {
    private final Map<String, byte[]> seen = new ConcurrentHashMap<>();

    @Override
    public byte[] transform(
            Module module,
            ClassLoader loader,
            String className,
            Class<?> redefined,
            ProtectionDomain domain,
            byte[] bytes) {
        var name = className.replace('/', '.');
        if (redefined != null && Sites.byClass().containsKey(name)) {
            seen.put(name, bytes.clone());
        }
        return null;
    }

    /** The classes as they are now, asked for. */
    static Map<String, byte[]> taken() throws Exception {
        var instrumentation = instrumentation();
        var snapshots = new Snapshots();
        instrumentation.addTransformer(snapshots, true);
        try {
            for (var name : Sites.byClass().keySet()) {
                instrumentation.retransformClasses(Class.forName(name, false, null));
            }
        } finally {
            instrumentation.removeTransformer(snapshots);
        }
        return snapshots.seen;
    }

    /** Starts to watch what others change, after the transformers that are there now. */
    static Snapshots watching() {
        var snapshots = new Snapshots();
        instrumentation().addTransformer(snapshots, true);
        return snapshots;
    }

    /** What became of the classes that were changed or restored since then. */
    Map<String, byte[]> seen() {
        instrumentation().removeTransformer(this);
        return seen;
    }

    static Instrumentation instrumentation() {
        return Objects.requireNonNull(GuardAgent.instrumentation());
    }
}
