/** Child processes that end with their parent, the CPU time of a process, and pinning. */
@NullMarked
package io.github.uvloop4j.cli.process;

import org.jspecify.annotations.NullMarked;
