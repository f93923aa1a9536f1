/** The comparison of echo servers: which peers can run here, and the runs that set them side by side. */
@NullMarked
package io.github.uvloop4j.benchmarks;

import org.jspecify.annotations.NullMarked;
