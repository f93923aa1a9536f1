/** The echo servers, one class per mode. */
@NullMarked
package io.github.uvloop4j.cli.server;

import org.jspecify.annotations.NullMarked;
