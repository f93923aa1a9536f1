/**
 * How tasks of one loop wait for each other. Tasks of a loop never run at the same time, so that nothing here takes a
 * lock or an atomic operation: each kind is a first-in-first-out queue of parked tasks. What is free costs no
 * allocation.
 *
 * <p>Whoever has what a task waits for grants it to the task that has waited longest, there and then; nobody can come in
 * between. A task that is cancelled before it runs with what it was granted hands it on to the next, and what it waited
 * for throws the cancel. What is granted in the turn in which a limit is over counts as in time.
 *
 * <p>An object of this package can be made anywhere, and belongs to the loop that uses it first while it runs; other
 * loops and threads are refused with an IllegalStateException. Level 0 of the layering, above {@code concurrent} only.
 */
@NullMarked
package io.github.uvloop4j.sync;

import org.jspecify.annotations.NullMarked;
