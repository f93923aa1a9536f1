/** What the exporters of a loop's statistics share: bounds of buckets, what is timed, and the end of a loop. */
@NullMarked
package io.github.uvloop4j.observe.export;

import org.jspecify.annotations.NullMarked;
