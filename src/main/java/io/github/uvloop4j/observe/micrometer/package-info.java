/**
 * Statistics of loops as meters of Micrometer: {@link io.github.uvloop4j.observe.micrometer.LoopMetrics}. Needs
 * {@code io.micrometer:micrometer-core}, which the application brings along.
 */
@NullMarked
package io.github.uvloop4j.observe.micrometer;

import org.jspecify.annotations.NullMarked;
