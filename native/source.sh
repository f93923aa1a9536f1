#!/bin/bash
# Prints the directory of the pinned libuv source, unpacking it into native/build first where necessary.
# LIBUV_TARBALL=file takes the archive from there; otherwise it comes from the pool of apt's configured mirror.
# Exit status 3: the archive cannot be had here (one line on stderr says why).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/libuv.pin"

unavailable() {
  echo "libuv $LIBUV_VERSION: $1" >&2
  exit 3
}

has_pinned_sum() {
  echo "$LIBUV_SHA256  $1" | sha256sum --check --status
}

build=$here/build
source=$build/libuv-$LIBUV_VERSION
if [[ -f $source/include/uv.h ]]; then
  echo "$source"
  exit
fi
mkdir -p "$build"
scratch=$(mktemp -d "$build/.unpack.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

if [[ -n ${LIBUV_TARBALL:-} ]]; then
  archive=$LIBUV_TARBALL
  [[ -f $archive ]] || unavailable "LIBUV_TARBALL=$archive is no file"
else
  archive=$scratch/libuv.tar.gz
  command -v apt-get >/dev/null || unavailable "no apt here to find a source pool with; set LIBUV_TARBALL"
  command -v curl >/dev/null || unavailable "curl is not installed; set LIBUV_TARBALL"
  pool=pool/main/libu/libuv1/libuv1_$LIBUV_VERSION.orig.tar.gz
  mapfile -t mirrors < <(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | sort -u)
  ((${#mirrors[@]})) || unavailable "apt has no mirror configured; set LIBUV_TARBALL"
  for mirror in "${mirrors[@]}"; do
    curl --fail --silent --location --connect-timeout 10 --max-time 120 --output "$archive" "$mirror$pool" && break
  done
  [[ -s $archive ]] || unavailable "no mirror of apt has $pool; set LIBUV_TARBALL"
fi
has_pinned_sum "$archive" || unavailable "$(basename "$archive") has not the pinned SHA-256"

mkdir "$scratch/tree"
tar --extract --gzip --file "$archive" --directory "$scratch/tree" --strip-components=1
# Another build may have finished first; its tree is as good.
mv --no-target-directory "$scratch/tree" "$source" 2>/dev/null || [[ -f $source/include/uv.h ]]
echo "$source"
