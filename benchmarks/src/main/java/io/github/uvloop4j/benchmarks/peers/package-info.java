/** Echo servers of this module that the comparison runs in processes of their own. */
@NullMarked
package io.github.uvloop4j.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
