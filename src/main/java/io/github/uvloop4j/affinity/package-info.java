/**
 * Which CPUs there are, and which a thread may use. Level 2 of the layering, above {@code ffi} and {@code util} only.
 */
@NullMarked
package io.github.uvloop4j.affinity;

import org.jspecify.annotations.NullMarked;
