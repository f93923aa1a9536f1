/**
 * The command-line program: {@code info}, {@code topology}, {@code launch}, {@code top}, {@code doctor},
 * {@code echo-server}, {@code echo-client} and {@code echo-bench}.
 *
 * <p>It has a source root and a jar of its own; the library does not know it. Inside it, imports go down:
 *
 * <pre>
 *   cli                    commands: options in, text or JSON out
 *    |-- bench             a comparison of servers: runs, medians, ratios, report
 *    |-- client            the load: plain JDK, no uvloop4j in it
 *    |-- doctor            findings in what was seen of a program, as words, JSON and HTML
 *    |-- observe           what a flight recorder has seen of loops, in a JVM that runs or in a file
 *    |-- server            the echo servers, one class per mode
 *    |-- launch            an application in a JVM of its own
 *    |-- process           child processes, CPU time, pinning, signals
 *    `-- json              reading and writing JSON
 * </pre>
 */
@NullMarked
package io.github.uvloop4j.cli;

import org.jspecify.annotations.NullMarked;
