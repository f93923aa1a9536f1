/** JSON, as much of it as the commands need. */
@NullMarked
package io.github.uvloop4j.cli.json;

import org.jspecify.annotations.NullMarked;
