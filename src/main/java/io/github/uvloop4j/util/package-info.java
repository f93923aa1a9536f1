/**
 * Data structures under everything else: the queue between threads, the ready ring, the table of ids, the heap of
 * deadlines. Level 0; knows neither loops nor native memory.
 */
@NullMarked
package io.github.uvloop4j.util;

import org.jspecify.annotations.NullMarked;
