package io.github.uvloop4j.cli.launch;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The main method of a class by the rules of Java 25: with the arguments or without, static or of an instance, inherited
 * too.
 */
final class MainMethod {
    private final Class<?> type;
    private final Method method;

    private MainMethod(Class<?> type, Method method) {
        this.type = type;
        this.method = method;
    }

    /** The one of a class; null when it has none. */
    static @Nullable MainMethod of(Class<?> type) {
        var method = find(type, String[].class);
        if (method == null) {
            method = find(type);
        }
        return method == null ? null : new MainMethod(type, method);
    }

    private static @Nullable Method find(Class<?> type, Class<?>... parameters) {
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            try {
                var method = owner.getDeclaredMethod("main", parameters);
                if (method.getReturnType() == void.class
                        && !Modifier.isPrivate(method.getModifiers())
                        && canCall(type, method)) {
                    return method;
                }
            } catch (NoSuchMethodException _) {
                // Perhaps inherited.
            }
        }
        return null;
    }

    private static boolean canCall(Class<?> type, Method method) {
        if (Modifier.isStatic(method.getModifiers())) {
            return true;
        }
        try {
            return !Modifier.isAbstract(type.getModifiers())
                    && !Modifier.isPrivate(type.getDeclaredConstructor().getModifiers());
        } catch (NoSuchMethodException _) {
            return false;
        }
    }

    /** Calls it; throws what it throws. */
    void call(List<String> arguments) throws Throwable {
        method.setAccessible(true);
        try {
            var target = Modifier.isStatic(method.getModifiers()) ? null : instance();
            if (method.getParameterCount() == 0) {
                method.invoke(target);
            } else {
                method.invoke(target, (Object) arguments.toArray(String[]::new));
            }
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private Object instance() throws ReflectiveOperationException {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }
}
