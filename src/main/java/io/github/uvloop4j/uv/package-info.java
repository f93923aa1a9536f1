/**
 * libuv, typed: one class for each kind of handle and request, usable without the event loop above it. Unstable until
 * the whole C API is here.
 *
 * <p>Everything belongs to the thread of its loop unless it says "Any thread.". Memory of handles and requests is
 * malloc'ed; a handle's is freed in its close callback and nowhere else. Native memory holds an id in {@code data};
 * {@code Upcalls} finds the object by it, so that a handful of static stubs serve every handle of the process.
 */
@NullMarked
package io.github.uvloop4j.uv;

import org.jspecify.annotations.NullMarked;
