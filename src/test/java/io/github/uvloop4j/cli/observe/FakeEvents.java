package io.github.uvloop4j.cli.observe;

import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Events as the library has them, for what cannot be brought about at will, and as no version of it has them. */
final class FakeEvents {
    private FakeEvents() {}

    @Name("uvloop4j.Stall")
    @StackTrace(false)
    static final class Stall extends Event {
        String loop = "fake";
        long loopId = 77;
        String what = "task work";

        @Timespan
        long lasted;

        String stack = "java.lang.Math.abs(Math.java:1)\ndemo.Server.crunch(Server.java:7)\n";
    }

    @Name("uvloop4j.StallOver")
    @StackTrace(false)
    static final class StallOver extends Event {
        String loop = "fake";
        long loopId = 77;
        String what = "task work";

        @Timespan
        long lasted;
    }

    /** Fields that are missing or something else. */
    @Name("uvloop4j.Loop")
    @StackTrace(false)
    static final class Odd extends Event {
        int loop = 5;
        long loopId = 78;
        String turns = "many";
        String turnHistogram = "1:x:";
        boolean tasks = true;
        double busy = Double.NaN;
    }

    /** From a later version. */
    @Name("uvloop4j.Later")
    @StackTrace(false)
    static final class Later extends Event {
        String loop = "later";
        long loopId = 79;
    }

    /** Of somebody else, who likes the prefix. */
    @Name("uvloop4j.Foreign")
    @StackTrace(false)
    static final class Foreign extends Event {
        String text = "x";
    }
}
