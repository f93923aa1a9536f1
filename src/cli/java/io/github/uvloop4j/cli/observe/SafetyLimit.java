package io.github.uvloop4j.cli.observe;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import jdk.management.jfr.FlightRecorderMXBean;
import jdk.management.jfr.RecordingInfo;

/**
 * Makes a recording in another JVM end by itself, should the one that wants it be killed. Its stream does not tell its
 * number: it is the one that was not there before. Any thread.
 */
final class SafetyLimit {
    private static final String DURATION = "duration";

    private final FlightRecorderMXBean recorder;
    private final Set<Long> before;
    private long recording = -1;

    private SafetyLimit(FlightRecorderMXBean recorder) {
        this.recorder = recorder;
        before = ids(recorder);
    }

    /** To be made before the recording is. */
    static SafetyLimit before(MBeanServerConnection connection) throws IOException {
        try {
            return new SafetyLimit(JMX.newMXBeanProxy(
                    connection, new ObjectName(FlightRecorderMXBean.MXBEAN_NAME), FlightRecorderMXBean.class));
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<Long> ids(FlightRecorderMXBean recorder) {
        return recorder.getRecordings().stream().map(RecordingInfo::getId).collect(Collectors.toSet());
    }

    /** To be called once the recording is there. When two come at a time nobody knows whose is whose: it has no limit. */
    void made() {
        var now = new HashSet<>(ids(recorder));
        now.removeAll(before);
        if (now.size() == 1) {
            recording = List.copyOf(now).getFirst();
        }
    }

    /** It is to end so long after its beginning. */
    void endAfter(Duration time) {
        if (recording >= 0) {
            recorder.setRecordingOptions(recording, Map.of(DURATION, time.toSeconds() + " s"));
        }
    }
}
