/**
 * Futures and tasks. They know their loop only as the small {@link io.github.uvloop4j.concurrent.LoopContext}; how a
 * task rides on the loop thread is the business of the package {@code carrier}. Level 0: no native memory here.
 */
@NullMarked
package io.github.uvloop4j.concurrent;

import org.jspecify.annotations.NullMarked;
