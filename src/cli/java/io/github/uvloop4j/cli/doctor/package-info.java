/**
 * Explains what was seen of a program: each check looks at an {@code Observation} and says what it finds, with the
 * numbers that show it and what to do about it.
 */
@NullMarked
package io.github.uvloop4j.cli.doctor;

import org.jspecify.annotations.NullMarked;
