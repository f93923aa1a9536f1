package io.github.uvloop4j.affinity;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where the control groups of this process are mounted. Facts about control groups:
 *
 * <ul>
 *   <li>Version 1 has a hierarchy per controller, version 2 one for all; in a hybrid both are mounted, and each
 *       controller belongs to one of them.
 *   <li>A container may see the group's path as the host has it though only the group itself is mounted, or as
 *       {@code /..} when it was moved out of its namespace. Then the root of the mount is the closest that can be seen.
 * </ul>
 */
final class CgroupPaths {
    /** Stands for the hierarchy of version 2, which the kernel's files list without a controller. */
    static final String UNIFIED = "";

    private static final int MOUNT_ROOT = 3;
    private static final int MOUNT_POINT = 4;
    private static final int MOUNT_OPTIONAL = 6;

    private record Mount(String root, Path point, Set<String> controllers) {}

    private record Membership(Set<String> controllers, String path) {}

    private final List<Mount> mounts;
    private final List<Membership> memberships;

    CgroupPaths(Path root) {
        mounts = KernelFiles.lines(root.resolve("proc/self/mountinfo")).stream()
                .flatMap(line -> mount(root, line).stream())
                .toList();
        memberships = KernelFiles.lines(root.resolve("proc/self/cgroup")).stream()
                .map(line -> line.split(":", 3))
                .filter(fields -> fields.length == 3)
                .map(fields -> new Membership(words(fields[1]), fields[2]))
                .toList();
    }

    private static Optional<Mount> mount(Path root, String line) {
        var fields = List.of(line.split(" ", -1));
        int separator = fields.size() <= MOUNT_OPTIONAL
                ? -1
                : fields.subList(MOUNT_OPTIONAL, fields.size()).indexOf("-") + MOUNT_OPTIONAL;
        if (separator < MOUNT_OPTIONAL || fields.size() < separator + 4) {
            return Optional.empty();
        }
        var type = fields.get(separator + 1);
        if (!type.equals("cgroup") && !type.equals("cgroup2")) {
            return Optional.empty();
        }
        return Optional.of(new Mount(
                unescaped(fields.get(MOUNT_ROOT)),
                KernelFiles.below(root, unescaped(fields.get(MOUNT_POINT))),
                words(type.equals("cgroup2") ? UNIFIED : fields.get(separator + 3))));
    }

    private static String unescaped(String field) {
        return field.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }

    private static Set<String> words(String text) {
        return Set.copyOf(Arrays.asList(text.split(",", -1)));
    }

    /** The directories of a controller's groups from this process's own up to the root of the mount; none without one. */
    List<Path> of(String controller) {
        var path = memberships.stream()
                .filter(membership -> membership.controllers.contains(controller))
                .map(Membership::path)
                .findFirst();
        var candidates = mounts.stream()
                .filter(mount -> mount.controllers.contains(controller))
                .toList();
        if (path.isEmpty() || candidates.isEmpty()) {
            return List.of();
        }
        for (var mount : candidates) {
            var own = directory(mount, path.get());
            if (own.isPresent()) {
                return upwards(own.get(), mount.point);
            }
        }
        return List.of(candidates.getFirst().point);
    }

    private static Optional<Path> directory(Mount mount, String path) {
        var root = mount.root.equals("/") ? "" : mount.root;
        if (path.contains("/..") || !(path + '/').startsWith(root + '/')) {
            return Optional.empty();
        }
        return Optional.of(KernelFiles.below(mount.point, path.substring(root.length())))
                .filter(Files::isDirectory);
    }

    private static List<Path> upwards(Path from, Path to) {
        var directories = new ArrayList<Path>();
        for (var directory = from; directory != null && directory.startsWith(to); directory = directory.getParent()) {
            directories.add(directory);
        }
        return directories;
    }
}
