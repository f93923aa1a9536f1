/** The comparison of echo servers: runs in processes of their own, medians, ratios and reports. */
@NullMarked
package io.github.uvloop4j.cli.bench;

import org.jspecify.annotations.NullMarked;
