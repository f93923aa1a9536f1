/**
 * Calls that would hold up a loop: on virtual threads when they block, on the JVM's one bounded pool when they compute,
 * and where measuring says so when nobody knows.
 *
 * <pre>
 *   loop.runInExecutor(call)         virtual threads, or the executor given
 *   loop.runOnCpu(call)              CpuPool
 *   loop.adaptive("parse", policy)   AdaptiveWork: here while it is short, else one of the two
 * </pre>
 *
 * <p>Level 1 of the layering: it knows its loop as {@link io.github.uvloop4j.concurrent.LoopContext}.
 */
@NullMarked
package io.github.uvloop4j.work;

import org.jspecify.annotations.NullMarked;
