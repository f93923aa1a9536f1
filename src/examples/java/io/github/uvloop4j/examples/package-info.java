/** The programs and snippets of the README, compiled with the tests. */
package io.github.uvloop4j.examples;
