package loaders;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** Loads the library twice in one JVM, as an application server does: arguments are the class path of each copy. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        var classPath = new URL[args.length];
        for (int i = 0; i < args.length; i++) {
            classPath[i] = Path.of(args[i]).toUri().toURL();
        }
        var parent = ClassLoader.getPlatformClassLoader();
        try (var first = new URLClassLoader(classPath, parent);
                var second = new URLClassLoader(classPath, parent)) {
            runIn(first);
            runIn(second);
            runIn(first);
        }
    }

    private static void runIn(ClassLoader loader) throws Exception {
        var main = Class.forName("plain.Main", true, loader);
        main.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }
}
