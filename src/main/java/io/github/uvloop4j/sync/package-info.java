/**
 * How tasks of one loop wait for each other. Tasks of a loop never run at the same time, so that nothing here takes a
 * lock or an atomic operation: each kind is a first-in-first-out queue of parked tasks.
 *
 * <p>An object of this package belongs to the loop that uses it first; other loops and threads are refused with an
 * IllegalStateException. Level 0 of the layering, above {@code concurrent} only.
 */
@NullMarked
package io.github.uvloop4j.sync;

import org.jspecify.annotations.NullMarked;
