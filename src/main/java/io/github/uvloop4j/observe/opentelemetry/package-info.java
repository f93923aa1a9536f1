/**
 * Loops by OpenTelemetry: {@link io.github.uvloop4j.observe.opentelemetry.LoopMetrics} and
 * {@link io.github.uvloop4j.observe.opentelemetry.LoopTraces} need {@code io.opentelemetry:opentelemetry-api},
 * {@link io.github.uvloop4j.observe.opentelemetry.LoopHistograms} needs {@code opentelemetry-sdk-metrics} too. The
 * application brings them along.
 */
@NullMarked
package io.github.uvloop4j.observe.opentelemetry;

import org.jspecify.annotations.NullMarked;
