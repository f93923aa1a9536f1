/** Uses the library as a module, with an optional dependency. */
@SuppressWarnings("requires-automatic")
module metered {
    requires io.github.uvloop4j;
    requires micrometer.core;
}
