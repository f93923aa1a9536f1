/** What happens on loops, for those who look on: {@link io.github.uvloop4j.observe.LoopObserver}. */
@NullMarked
package io.github.uvloop4j.observe;

import org.jspecify.annotations.NullMarked;
