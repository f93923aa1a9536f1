/**
 * What a flight recorder has seen of loops, in another JVM that runs or in a file.
 *
 * <pre>
 *   LiveSource (attach, JMX)  --.
 *                                &gt;-- events --&gt; Collector --&gt; Observation --&gt; LoopReport, Span
 *   FileSource (Chunks)       --'
 * </pre>
 */
@NullMarked
package io.github.uvloop4j.cli.observe;

import org.jspecify.annotations.NullMarked;
