package io.github.uvloop4j.guard;

import static io.github.uvloop4j.guard.Checks.check;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.guard.Sites.Kind;
import io.github.uvloop4j.guard.Sites.Site;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Map;

/** A JDK whose internals have moved, and another agent that is in the way of one class. */
final class OddJvmMain {
    /** Adds a method to a class that is loaded, which the JVM refuses. */
    private static final class InTheWay implements ClassFileTransformer {
        @Override
        public byte[] transform(
                Module module,
                ClassLoader loader,
                String className,
                Class<?> redefined,
                ProtectionDomain domain,
                byte[] bytes) {
            if (!"java/io/FileInputStream".equals(className)) {
                return null;
            }
            var file = ClassFile.of();
            return file.transformClass(
                    file.parse(bytes),
                    ClassTransform.endHandler(type -> type.withMethodBody(
                            "added",
                            MethodTypeDesc.ofDescriptor("()V"),
                            ClassFile.ACC_STATIC,
                            code -> code.return_())));
        }
    }

    private OddJvmMain() {}

    public static void main(String[] args) throws Exception {
        var file = Files.writeString(Path.of(args[0], "file"), "text");
        check("a class or method that is missing is listed", OddJvmMain::missing);
        check("this JDK has all of them", () -> {
            try (var _ = BlockingGuard.forAllLoops()) {
                var report = BlockingGuard.report();
                assertThat(report.missing()).isEmpty();
                assertThat(report.failed()).isEmpty();
                assertThat(report.hooked())
                        .contains("java.lang.Thread.sleepNanos")
                        .hasSizeGreaterThan(90);
            }
        });
        check("another agent in the way costs one class only", () -> otherAgent(file));
    }

    private static void missing() {
        var table = Map.of(
                "java.lang.NoSuchClass", List.of(site("java.lang.NoSuchClass", "any")),
                "java.lang.Runtime",
                        List.of(site("java.lang.Runtime", "noSuchMethod"), site("java.lang.Runtime", "exit")));
        var instrumenter = new Instrumenter(Snapshots.instrumentation(), table);
        instrumenter.install();
        try {
            assertThat(instrumenter.report().missing())
                    .containsExactlyInAnyOrder("java.lang.NoSuchClass", "java.lang.Runtime.noSuchMethod");
            assertThat(instrumenter.report().hooked()).containsExactly("java.lang.Runtime.exit");
        } finally {
            instrumenter.uninstall();
        }
    }

    private static Site site(String className, String method) {
        return new Site(0, className, method, "(", Kind.PARK, null);
    }

    private static void otherAgent(Path file) throws Exception {
        var other = new InTheWay();
        Snapshots.instrumentation().addTransformer(other, true);
        try (var loop = EventLoop.create();
                var _ = BlockingGuard.forAllLoops()) {
            assertThat(BlockingGuard.report().failed())
                    .singleElement()
                    .asString()
                    .startsWith("java.io.FileInputStream: java.lang.UnsupportedOperationException");
            assertThat(OnLoop.raises(loop, () -> Files.size(file))).isTrue();
            assertThat(OnLoop.raises(loop, () -> Thread.sleep(1))).isTrue();
        } finally {
            Snapshots.instrumentation().removeTransformer(other);
        }
        try (var loop = EventLoop.create()) {
            assertThat(OnLoop.raises(loop, () -> Files.size(file))).isFalse();
        }
    }
}
