import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import java.util.concurrent.CancellationException;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;
import java.util.concurrent.StructuredTaskScope.Subtask;

/** StructuredTaskScope, which is a preview, with threads of a loop. */
public class Scopes {
    static final ScopedValue<String> USER = ScopedValue.newInstance();

    public static void main(String[] args) throws Exception {
        try (var loop = EventLoop.create().start()) {
            System.out.println("from outside " + all(loop));
            System.out.println("from a task " + loop.submit(() -> all(loop)).get());
            System.out.println("first failure " + failure(loop));
            System.out.println("tasks left " + loop.submit(loop::taskCount).get());
        }
    }

    static String all(EventLoop loop) throws Exception {
        return ScopedValue.where(USER, "me").call(() -> {
            try (var scope = StructuredTaskScope.open(
                    Joiner.<String>allSuccessfulOrThrow(), config -> config.withThreadFactory(loop.threadFactory()))) {
                for (int i = 0; i < 3; i++) {
                    int number = i;
                    scope.fork(() -> {
                        boolean inTask = Task.current() != null && loop.inLoop();
                        return loop.runInExecutor(() -> number).await() + USER.get() + inTask;
                    });
                }
                return scope.join().map(Subtask::get).toList().toString();
            }
        });
    }

    static String failure(EventLoop loop) throws Exception {
        var ended = loop.<String>createFuture();
        try (var scope = StructuredTaskScope.open(
                Joiner.<String>awaitAllSuccessfulOrThrow(), config -> config.withThreadFactory(loop.threadFactory()))) {
            scope.fork(() -> {
                try {
                    return loop.<String>createFuture().await();
                } catch (CancellationException e) {
                    ended.complete("sibling cancelled");
                    throw e;
                }
            });
            scope.fork(() -> {
                throw new IllegalStateException("broken");
            });
            scope.join();
            return "none";
        } catch (StructuredTaskScope.FailedException e) {
            return e.getCause().getMessage() + ", " + ended.get();
        }
    }
}
