package io.github.uvloop4j.guard;

import io.github.uvloop4j.guard.Sites.Kind;
import io.github.uvloop4j.guard.Sites.Site;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.AccessFlag;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Puts the hooks in, and takes them out again. Never on a loop thread, one thread at a time. */
final class Instrumenter implements ClassFileTransformer {
    private final Instrumentation instrumentation;
    private final Map<String, List<Site>> table;

    /** What was seen of each class. */
    private final Map<String, Set<Site>> hooked = new LinkedHashMap<>();

    private final List<Class<?>> changed = new ArrayList<>();
    private final Map<String, String> failed = new LinkedHashMap<>();
    private final List<String> missing = new ArrayList<>();

    /** By a table of sites by the names of their classes. */
    Instrumenter(Instrumentation instrumentation, Map<String, List<Site>> table) {
        this.instrumentation = instrumentation;
        this.table = table;
    }

    /** Puts the hooks into all classes that allow it. */
    void install() {
        hooked.clear();
        failed.clear();
        missing.clear();
        var classes = classes();
        instrumentation.addTransformer(this, true);
        try {
            retransform(classes);
        } catch (Throwable oneOfThem) {
            for (var type : classes) {
                try {
                    retransform(List.of(type));
                } catch (Throwable error) {
                    hooked.remove(type.getName());
                    failed.put(type.getName(), error.toString());
                }
            }
        }
        for (var type : classes) {
            if (hooked.containsKey(type.getName())) {
                changed.add(type);
            }
        }
        findMissing(classes);
    }

    /** Takes the hooks out of all classes. */
    void uninstall() {
        instrumentation.removeTransformer(this);
        try {
            retransform(changed);
        } catch (Throwable oneOfThem) {
            for (var type : changed) {
                try {
                    retransform(List.of(type));
                } catch (Throwable error) {
                    failed.put(type.getName(), "its hooks are still there: " + error);
                }
            }
        }
        changed.clear();
        hooked.clear();
    }

    GuardReport report() {
        var names = new TreeSet<String>();
        hooked.values().forEach(sites -> sites.forEach(site -> names.add(site.name())));
        var failures = new ArrayList<String>();
        failed.forEach((name, why) -> failures.add(name + ": " + why));
        return new GuardReport(List.copyOf(names), missing, failures);
    }

    private void retransform(List<Class<?>> classes) throws Exception {
        if (!classes.isEmpty()) {
            instrumentation.retransformClasses(classes.toArray(Class<?>[]::new));
        }
    }

    /** They are all loaded now, so that no class has to be changed while it is loaded. */
    private List<Class<?>> classes() {
        var classes = new ArrayList<Class<?>>();
        for (var name : table.keySet()) {
            try {
                classes.add(Class.forName(name, false, null));
            } catch (ClassNotFoundException | LinkageError e) {
                missing.add(name);
            }
        }
        return classes;
    }

    private void findMissing(List<Class<?>> classes) {
        for (var type : classes) {
            var found = hooked.get(type.getName());
            if (found == null) {
                failed.putIfAbsent(type.getName(), "its class file could not be read or changed");
                continue;
            }
            for (var site : table.getOrDefault(type.getName(), List.of())) {
                if (!found.contains(site)) {
                    missing.add(site.name() + (site.descriptor().length() > 1 ? site.descriptor() : ""));
                }
            }
        }
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable Module module,
            @Nullable ClassLoader loader,
            @Nullable String className,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (redefined == null || loader != null || className == null) {
            return null;
        }
        var name = className.replace('/', '.');
        var sites = table.get(name);
        if (sites == null) {
            return null;
        }
        try {
            return transform(name, sites, bytes);
        } catch (Throwable error) {
            failed.put(name, error.toString());
            return null;
        }
    }

    private byte[] transform(String name, List<Site> sites, byte[] bytes) {
        var found = new LinkedHashSet<Site>();
        var file = ClassFile.of();
        var changedBytes = file.transformClass(file.parse(bytes), (type, element) -> {
            var site = element instanceof MethodModel method ? find(sites, method) : null;
            if (site == null) {
                type.with(element);
                return;
            }
            found.add(site);
            type.transformMethod(
                    (MethodModel) element, MethodTransform.transformingCode(hook(site, (MethodModel) element)));
        });
        hooked.put(name, found);
        return changedBytes;
    }

    private static @Nullable Site find(List<Site> sites, MethodModel method) {
        if (method.code().isEmpty()) {
            return null;
        }
        for (var site : sites) {
            if (site.matches(
                            method.methodName().stringValue(),
                            method.methodType().stringValue())
                    && (site.kind() != Kind.TIMED || firstLong(method) >= 0)) {
                return site;
            }
        }
        return null;
    }

    private static CodeTransform hook(Site site, MethodModel method) {
        return new CodeTransform() {
            @Override
            public void atStart(CodeBuilder code) {
                switch (site.kind()) {
                    case TIMED -> code.lload(firstLong(method));
                    case PARK_ON, CHANNEL, BLOCK_ON -> code.aload(0);
                    case PARK, BLOCK -> {}
                }
                code.loadConstant(site.id()).invokestatic(Hook.TYPE, Hook.method(site.kind()), Hook.type(site.kind()));
            }

            @Override
            public void accept(CodeBuilder code, CodeElement element) {
                code.with(element);
            }
        };
    }

    /** The slot of the first parameter that is a long, or -1. */
    private static int firstLong(MethodModel method) {
        int slot = method.flags().has(AccessFlag.STATIC) ? 0 : 1;
        for (var parameter : method.methodTypeSymbol().parameterList()) {
            var kind = TypeKind.from(parameter);
            if (kind == TypeKind.LONG) {
                return slot;
            }
            slot += kind.slotSize();
        }
        return -1;
    }
}
