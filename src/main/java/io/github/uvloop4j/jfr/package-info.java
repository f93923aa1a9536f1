/** What happens on loops, as events of the JVM's flight recorder. */
@NullMarked
package io.github.uvloop4j.jfr;

import org.jspecify.annotations.NullMarked;
