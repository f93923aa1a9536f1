/** A reverse proxy: two tasks for each connection, one for each direction. */
package io.github.uvloop4j.examples.proxy;
