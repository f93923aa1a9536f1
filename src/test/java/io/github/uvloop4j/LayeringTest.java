package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds the compiled classes to {@link PackageTable}. */
class LayeringTest {
    private static final Path HOME = Path.of(System.getProperty("basedir", ""));
    private static final Path LIBRARY = HOME.resolve("target/classes");
    private static final Path CLI = HOME.resolve("target/cli-classes");
    private static final Pattern OWN_CLASS =
            Pattern.compile(PackageTable.BASE.replace('.', '/') + "/((?:\\w+/)*)[\\w$]+");

    /**
     * A class, the packages of ours that it mentions anywhere (code, descriptors, signatures, annotations), those that
     * its public face mentions, and whether it knows java.lang.foreign.
     */
    private record Used(
            String className, String packageName, Set<String> packages, Set<String> signatures, boolean nativeMemory) {}

    private final List<Used> classes = readAll();

    @Test
    void theTableHasNoCycle() {
        var settled = new HashSet<String>();
        boolean moved = true;
        while (moved) {
            moved = false;
            for (var row : PackageTable.ROWS.entrySet()) {
                if (settled.containsAll(row.getValue().mayUse())) {
                    moved |= settled.add(row.getKey());
                }
            }
        }
        assertThat(settled).containsExactlyInAnyOrderElementsOf(PackageTable.ROWS.keySet());
    }

    @Test
    void everyPackageIsInTheTable() {
        assertThat(classes).isNotEmpty();
        assertThat(PackageTable.ROWS.keySet())
                .containsAll(classes.stream().map(Used::packageName).collect(Collectors.toSet()));
    }

    @Test
    void packagesUseOnlyWhatTheTableAllows() {
        var forbidden = new TreeMap<String, Set<String>>();
        for (var used : classes) {
            var row = PackageTable.ROWS.get(used.packageName());
            var allowed = row == null ? Set.<String>of() : row.mayUse();
            for (var target : used.packages()) {
                if (!target.equals(used.packageName()) && !allowed.contains(target)) {
                    forbidden
                            .computeIfAbsent(used.packageName() + " -> " + target, edge -> new TreeSet<>())
                            .add(used.className());
                }
            }
        }
        assertThat(forbidden).isEmpty();
    }

    @Test
    void packagesThatUsersImplementKnowNoNativeMemory() {
        var without = Set.of("concurrent", "net", "process", "fs", "carrier");
        assertThat(classes)
                .filteredOn(used -> without.contains(used.packageName()))
                .filteredOn(Used::nativeMemory)
                .isEmpty();
    }

    @Test
    void exportedSignaturesMentionOnlyExportedPackages() {
        var hidden = new TreeMap<String, Set<String>>();
        for (var used : classes) {
            var mentioned = new TreeSet<>(used.signatures());
            mentioned.removeIf(LayeringTest::isExported);
            if (isExported(used.packageName()) && !mentioned.isEmpty()) {
                hidden.put(used.className(), mentioned);
            }
        }
        assertThat(hidden).isEmpty();
    }

    @Test
    void moduleExportsThePackagesTheTableExports() throws IOException {
        var module = ClassFile.of().parse(LIBRARY.resolve("module-info.class"));
        var exported = new TreeSet<String>();
        for (var attribute : module.attributes()) {
            if (attribute instanceof ModuleAttribute body) {
                body.exports()
                        .forEach(entry -> exported.add(PackageTable.nameOf(
                                entry.exportedPackage().name().stringValue().replace('/', '.'))));
            }
        }
        var present = classes.stream()
                .map(Used::packageName)
                .filter(LayeringTest::isExported)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(exported).isEqualTo(present);
    }

    @Test
    void doclintLooksAtThePackagesTheTableExports() throws IOException {
        var pom = Files.readString(HOME.resolve("pom.xml"));
        var list = Pattern.compile("<exported\\.packages>(.*?)</exported\\.packages>")
                .matcher(pom);
        assertThat(list.find()).isTrue();
        var listed = Set.of(list.group(1).split(",")).stream()
                .map(PackageTable::nameOf)
                .collect(Collectors.toSet());
        var exported = PackageTable.ROWS.entrySet().stream()
                .filter(row -> row.getValue().exported())
                .map(row -> row.getKey())
                .collect(Collectors.toSet());
        assertThat(listed).isEqualTo(exported);
    }

    private static List<Used> readAll() {
        var all = new ArrayList<Used>();
        for (var directory : List.of(LIBRARY, CLI)) {
            if (Files.isDirectory(directory)) {
                try (var files = Files.walk(directory)) {
                    files.filter(LayeringTest::isClass).forEach(file -> all.add(read(file)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return all;
    }

    private static boolean isClass(Path file) {
        return file.toString().endsWith(".class") && !file.endsWith("module-info.class");
    }

    private static Used read(Path file) {
        ClassModel model;
        try {
            model = ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var packages = new TreeSet<String>();
        boolean nativeMemory = false;
        for (var entry : model.constantPool()) {
            if (entry instanceof Utf8Entry text) {
                nativeMemory |= text.stringValue().contains("java/lang/foreign/");
                addPackages(text.stringValue(), packages);
            }
        }
        var name = model.thisClass().asInternalName().replace('/', '.');
        var packageName = PackageTable.nameOf(name.substring(0, name.lastIndexOf('.')));
        return new Used(name, packageName, packages, publicFace(model), nativeMemory);
    }

    private static Set<String> publicFace(ClassModel model) {
        var packages = new TreeSet<String>();
        if (!model.flags().has(AccessFlag.PUBLIC)) {
            return packages;
        }
        model.superclass().ifPresent(type -> addPackages(type.asInternalName(), packages));
        model.interfaces().forEach(type -> addPackages(type.asInternalName(), packages));
        addSignature(model, packages);
        for (var method : model.methods()) {
            if (method.flags().has(AccessFlag.PUBLIC) || method.flags().has(AccessFlag.PROTECTED)) {
                addPackages(method.methodType().stringValue(), packages);
                addSignature(method, packages);
            }
        }
        for (var field : model.fields()) {
            if (field.flags().has(AccessFlag.PUBLIC) || field.flags().has(AccessFlag.PROTECTED)) {
                addPackages(field.fieldType().stringValue(), packages);
                addSignature(field, packages);
            }
        }
        return packages;
    }

    private static void addSignature(AttributedElement element, Set<String> packages) {
        element.findAttribute(Attributes.signature())
                .ifPresent(generic -> addPackages(generic.signature().stringValue(), packages));
    }

    private static void addPackages(String text, Set<String> packages) {
        var names = OWN_CLASS.matcher(text);
        while (names.find()) {
            packages.add(
                    PackageTable.nameOf(PackageTable.BASE + '.' + names.group(1).replace('/', '.')));
        }
    }

    private static boolean isExported(String packageName) {
        var row = PackageTable.ROWS.get(packageName);
        return row != null && row.exported();
    }
}
