# Sourced by the Makefile: finds, or installs where it may, what the build needs; exports JAVA_HOME.
# Usage: . .ci/setup.sh [native]    "native" asks for the tools that compile libuv as well.

# Prints the directory of a JDK 25 or newer, if this machine has one.
find_jdk() {
    local on_path dir version
    on_path=$(command -v javac) && on_path=$(readlink -f "$on_path")
    for dir in "${JAVA_HOME:-}" "${on_path%/bin/javac}" /usr/lib/jvm/* /opt/*jdk* /opt/java/* \
        "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
        [ -n "$dir" ] && [ -x "$dir/bin/javac" ] && [ -r "$dir/release" ] || continue
        version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$dir/release")
        if [ "${version:-0}" -ge 25 ]; then
            echo "$dir"
            return 0
        fi
    done
    return 1
}

has_libuv() {
    [ -e native/build/libuv.so.1 ] || [ -n "$(system_libuv)" ]
}

# Prints the path of the system's libuv, if there is one.
system_libuv() {
    local file
    file=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n 's/.*libuv\.so\.1 (.*x86-64.*=> //p' | head -n 1)
    if [ -z "$file" ]; then
        for file in /usr/lib/x86_64-linux-gnu/libuv.so.1 /usr/lib64/libuv.so.1 /usr/lib/libuv.so.1; do
            [ -e "$file" ] && break
            file=
        done
    fi
    echo "$file"
}

# The first of the named packages that apt could install here.
offered() {
    local name
    for name in "$@"; do
        if LC_ALL=C apt-cache policy "$name" 2>/dev/null | grep -q 'Candidate: [^(]'; then
            echo "$name"
            return 0
        fi
    done
    return 1
}

# What is missing, as package names of the system's package manager.
missing_packages() {
    local jdk=openjdk-25-jdk-headless cc="gcc libc6-dev" uv=libuv1
    if command -v dnf >/dev/null && ! command -v apt-get >/dev/null; then
        jdk=java-25-openjdk-devel cc="gcc glibc-devel" uv=libuv
    elif command -v apt-get >/dev/null; then
        jdk=$(offered openjdk-25-jdk-headless temurin-25-jdk) || jdk=openjdk-25-jdk-headless
        uv=$(offered libuv1 libuv1t64) || uv=libuv1
    fi
    find_jdk >/dev/null || echo "$jdk"
    command -v mvn >/dev/null || echo maven
    if [ "$1" = native ] && [ ! -e native/build/libuv.so.1 ]; then
        command -v cc >/dev/null || echo "$cc"
        command -v cmake >/dev/null || echo cmake
        command -v make >/dev/null || echo make
        command -v curl >/dev/null || echo curl ca-certificates
    fi
    has_libuv || echo "$uv"
}

setup() {
    local packages install="sudo apt-get install" found
    packages=$(missing_packages "$1" | xargs)
    command -v apt-get >/dev/null || { command -v dnf >/dev/null && install="sudo dnf install"; }
    if [ -n "$packages" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "setup: installing with apt: $packages" >&2
        apt-get -qq update >/dev/null </dev/null || true
        packages=$(missing_packages "$1" | xargs)
        # One at a time, so that a package the mirror lacks does not hold back the others.
        for found in $packages; do
            DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$found" \
                >/dev/null </dev/null || true
        done
        packages=$(missing_packages "$1" | xargs)
    fi
    if ! JAVA_HOME=$(find_jdk); then
        if command -v apt-get >/dev/null && ! offered openjdk-25-jdk-headless temurin-25-jdk >/dev/null; then
            install="apt offers none, so unpack one into /usr/lib/jvm" packages=
        fi
        echo "setup: no JDK 25 in JAVA_HOME, on PATH or in /usr/lib/jvm: ${install}${packages:+ $packages}," \
            "or make JAVA_HOME=/path/to/jdk-25 test" >&2
        return 1
    fi
    export JAVA_HOME
    if ! command -v mvn >/dev/null; then
        echo "setup: no Maven (mvn) on PATH: $install $packages" >&2
        return 1
    fi
    if ! has_libuv && { ! command -v cc || ! command -v cmake; } >/dev/null; then
        echo "setup: no libuv, and no cc and cmake to build it: $install $packages" >&2
        return 1
    fi
    export MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
}

setup "${1:-}" || exit 1
