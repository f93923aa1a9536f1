#!/bin/bash
# Builds the pinned libuv into native/build/libuv.so.1, or with --debug (assertions on) into native/build/debug/libuv.so.1,
# each with libuv's LICENSE and LICENSE-extra beside it. Does nothing when that is done already.
# Exit status 3: it cannot be built here (one line on stderr says why); the system's libuv serves then.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/libuv.pin"

unavailable() {
  echo "native/build.sh: $1; the system's libuv will serve" >&2
  exit 3
}

case ${1:-} in
  '') type=Release out=$here/build ;;
  --debug) type=Debug out=$here/build/debug ;;
  *)
    echo "native/build.sh: unknown argument $1 (only --debug is known)" >&2
    exit 2
    ;;
esac

library=$out/libuv.so.1
stamp="$LIBUV_VERSION $LIBUV_SHA256 $type"
if [[ -f $library && $(cat "$out/stamp" 2>/dev/null) == "$stamp" ]]; then
  exit
fi
[[ $(uname -sm) == 'Linux x86_64' ]] || unavailable "the packed libuv is for Linux x86_64, this is $(uname -sm)"
command -v cmake >/dev/null || unavailable "cmake is not installed"
command -v "${CC:-cc}" >/dev/null || unavailable "there is no C compiler"
source=$("$here/source.sh" 2>&1) || unavailable "${source##*$'\n'}"

mkdir -p "$out"
scratch=$(mktemp -d "$out/.build.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
log=$out/build.log
{
  cmake -S "$source" -B "$scratch" -DCMAKE_BUILD_TYPE=$type -DCMAKE_C_FLAGS_RELEASE='-O2 -DNDEBUG' -DBUILD_TESTING=OFF &&
    cmake --build "$scratch" --target uv --parallel "${JOBS:-$(nproc)}"
} >"$log" 2>&1 || {
  tail -n 20 "$log" >&2
  echo "native/build.sh: libuv $LIBUV_VERSION did not build, the whole log is $log" >&2
  exit 1
}
[[ $type == Debug ]] || strip --strip-unneeded "$scratch/libuv.so.1"
cp "$source/LICENSE" "$source/LICENSE-extra" "$out"
cp --dereference "$scratch/libuv.so.1" "$scratch/ready"
mv "$scratch/ready" "$library"
echo "$stamp" >"$out/stamp"
echo "libuv $LIBUV_VERSION ($type): ${library#"${here%/*}"/}"
