/**
 * The blocking-call guard: raises an error at the call where code on a loop thread would block.
 *
 * <pre>
 *   a JDK method          java.lang.UvloopGuard      Judge
 *   Thread.sleep  ------> is this a guarded loop? -> exempt, allowed, or which scopes?
 *     (hook at entry)       no: 2 ns                   raise | log | count
 * </pre>
 *
 * An agent puts a hook at the entry of the methods that {@code Sites} lists, when the first scope opens, and takes all
 * of them out again when the last one closes.
 */
@NullMarked
package io.github.uvloop4j.guard;

import org.jspecify.annotations.NullMarked;
