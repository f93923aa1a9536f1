/**
 * What tasks ride on: the loop thread itself, by a virtual thread whose scheduler is the task, or the baton, where the
 * JVM does not let us choose a scheduler. Also the two threads that help every loop: the log and the rescue.
 */
@NullMarked
package io.github.uvloop4j.carrier;

import org.jspecify.annotations.NullMarked;
