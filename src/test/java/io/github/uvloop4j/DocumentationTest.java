package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** What users can name has a description; doclint would ask for a tag per parameter as well, so it is not used for this. */
class DocumentationTest {
    private static final Path SOURCES =
            Path.of(System.getProperty("basedir", "")).resolve("src/main/java");

    @Test
    void whatIsExportedIsDescribed() throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            var files = manager.getJavaFileObjectsFromPaths(sources());
            var task = (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null, files);
            var undescribed = new Undescribed(DocTrees.instance(task));
            int units = 0;
            for (var unit : task.parse()) {
                undescribed.scan(unit, null);
                units++;
            }
            assertThat(units).isPositive();
            assertThat(undescribed.found).isEmpty();
        }
    }

    private static List<Path> sources() throws IOException {
        var found = new ArrayList<Path>();
        for (var row : PackageTable.ROWS.entrySet()) {
            if (row.getValue().exported()) {
                var name = row.getKey().equals(PackageTable.ROOT)
                        ? ""
                        : "/" + row.getKey().replace('.', '/');
                var directory = SOURCES.resolve(PackageTable.BASE.replace('.', '/') + name);
                if (Files.isDirectory(directory)) {
                    try (var files = Files.list(directory)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
                    }
                }
            }
        }
        return found;
    }

    /** Collects what is public or protected, in what is, and has no first sentence. */
    private static final class Undescribed extends TreePathScanner<Void, Void> {
        private final DocTrees docs;
        private final List<String> found = new ArrayList<>();

        private Undescribed(DocTrees docs) {
            this.docs = docs;
        }

        @Override
        public Void visitClass(ClassTree type, Void none) {
            if (type.getSimpleName().isEmpty() || !isVisible(type.getModifiers())) {
                return null;
            }
            require(type.getSimpleName().toString());
            return super.visitClass(type, none);
        }

        @Override
        public Void visitMethod(MethodTree method, Void none) {
            if (isVisible(method.getModifiers()) && !overrides(method)) {
                require(method.getName().toString());
            }
            return null;
        }

        @Override
        public Void visitVariable(VariableTree field, Void none) {
            if (isVisible(field.getModifiers()) && !isPartOfRecord(field)) {
                require(field.getName().toString());
            }
            return null;
        }

        private boolean isVisible(ModifiersTree modifiers) {
            var flags = modifiers.getFlags();
            return flags.contains(Modifier.PUBLIC)
                    || flags.contains(Modifier.PROTECTED)
                    || (isInInterface() && !flags.contains(Modifier.PRIVATE));
        }

        private boolean isInInterface() {
            return getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.INTERFACE;
        }

        private boolean isPartOfRecord(VariableTree field) {
            return getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD
                    && !field.getModifiers().getFlags().contains(Modifier.STATIC);
        }

        private static boolean overrides(MethodTree method) {
            return method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
        }

        private void require(String name) {
            TreePath path = getCurrentPath();
            DocCommentTree comment = docs.getDocCommentTree(path);
            if (comment == null || comment.getFullBody().isEmpty()) {
                CompilationUnitTree unit = path.getCompilationUnit();
                var file = Path.of(unit.getSourceFile().toUri()).getFileName();
                found.add(file + ": " + name);
            }
        }
    }
}
