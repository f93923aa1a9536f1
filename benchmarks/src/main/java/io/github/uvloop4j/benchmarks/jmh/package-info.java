/** JMH benchmarks of the library's parts, each beside what a JVM program would use in its place. */
@NullMarked
package io.github.uvloop4j.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
