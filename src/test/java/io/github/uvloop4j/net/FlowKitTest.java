package io.github.uvloop4j.net;

import io.github.uvloop4j.EventLoop;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.SkipException;
import org.testng.annotations.Test;

/** The compatibility kit of reactive streams, whose tests are made for TestNG. */
@Timeout(60)
class FlowKitTest {
    private EventLoop loop;

    private interface SetUp {
        void run() throws Exception;
    }

    @BeforeEach
    void start() {
        loop = EventLoop.create().start();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    /** How long the kit waits for what must come, and how long it looks whether something comes that must not. */
    private static TestEnvironment environment() {
        return new TestEnvironment(2_000, 50);
    }

    @TestFactory
    Stream<DynamicTest> thePublisherKeepsTheRules() {
        var kit = new FlowPublisherKit(loop, environment());
        return testsOf(kit, kit::setUp);
    }

    @TestFactory
    Stream<DynamicTest> theSubscriberKeepsTheRules() {
        var kit = new FlowSubscriberKit(loop, environment());
        return testsOf(kit, kit::startPublisherExecutorService);
    }

    /** Those that the kit only lists, as nobody can check them from outside, are left out. */
    private static Stream<DynamicTest> testsOf(Object kit, SetUp setUp) {
        return Arrays.stream(kit.getClass().getMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .filter(method -> !method.getName().startsWith("untested"))
                .sorted(Comparator.comparing(Method::getName))
                .map(method -> DynamicTest.dynamicTest(method.getName(), () -> run(kit, setUp, method)));
    }

    private static void run(Object kit, SetUp setUp, Method method) throws Throwable {
        setUp.run();
        try {
            method.invoke(kit);
        } catch (InvocationTargetException e) {
            var cause = e.getCause();
            // Only what the rules leave open, as serving several subscribers.
            Assumptions.assumeFalse(
                    cause instanceof SkipException && !method.getName().startsWith("required"), cause.getMessage());
            throw cause;
        }
    }
}
