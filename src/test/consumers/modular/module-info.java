/** Uses the library as a module. */
module modular {
    requires io.github.uvloop4j;
}
