/**
 * Connections that outlive a request: a bounded pool that lends them to the tasks of one loop. The type of what is
 * pooled is the user's, so that a client of any protocol can be pooled as well as a bare
 * {@link io.github.uvloop4j.net.Connection}.
 *
 * <pre>
 *   task -- acquire --&gt; idle? ------------------ checked --&gt; leased -- release --&gt; a waiting task, or idle
 *                       else room? -- connect ------------^     |
 *                       else wait, first come first served      +-- close without release, failed call --&gt; discarded
 * </pre>
 *
 * <p>Level 2 of the layering: above {@code net}.
 */
@NullMarked
package io.github.uvloop4j.pool;

import org.jspecify.annotations.NullMarked;
