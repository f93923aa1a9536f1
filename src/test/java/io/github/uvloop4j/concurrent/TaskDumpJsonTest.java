package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskDumpJsonTest {
    private static final String NASTY = "a\"b\\c\n\r\t\u0001\u2028\ud83d\ude00\ud83d";

    private static List<?> tasks(TaskDump dump) {
        return (List<?>) JsonReader.object(dump.toJson()).get("tasks");
    }

    @Test
    void hasAKeyForEachFact(EventLoop loop) throws Exception {
        loop.run(() -> {
            var child = loop.spawn("child", Turns::forever);
            var parent = loop.spawn("parent", () -> child.await());
            Turns.wait(8);
            var dump = loop.dumpTasks();
            var entry = (Map<?, ?>) tasks(dump).getLast();
            var info = dump.tasks().getLast();
            assertThat(entry.keySet())
                    .map(String::valueOf)
                    .containsExactly(
                            "id",
                            "name",
                            "depth",
                            "parent_id",
                            "parent_name",
                            "parent_ended",
                            "group",
                            "state",
                            "cancel_requests",
                            "waits_for",
                            "waits_for_task_id",
                            "waits_in",
                            "place",
                            "stack");
            assertThat(((Number) entry.get("id")).longValue()).isEqualTo(parent.id());
            assertThat(entry.get("name")).isEqualTo("parent");
            assertThat(entry.get("parent_name")).isEqualTo("main");
            assertThat(entry.get("group")).isNull();
            assertThat(entry.get("state")).isEqualTo("waiting");
            assertThat(entry.get("waits_for")).isEqualTo("task #" + child.id() + " child");
            assertThat(((Number) entry.get("waits_for_task_id")).longValue()).isEqualTo(child.id());
            assertThat(entry.get("place")).isEqualTo("" + info.place());
            assertThat((List<?>) entry.get("stack")).hasSize(info.stack().size());
            parent.cancel();
            Combine.gatherOutcomes(List.of(parent, child)).await();
        });
    }

    @Test
    void theLoopThreadIsToldAsWell(EventLoop loop) throws Exception {
        assertThat(JsonReader.object(loop.dumpTasks().toJson()))
                .containsEntry("loop", "uvloop4j")
                .containsEntry("loop_thread", null)
                .containsEntry("tasks", List.of());
        loop.run(() -> {
            var thread =
                    (Map<?, ?>) JsonReader.object(loop.dumpTasks().toJson()).get("loop_thread");
            assertThat(thread.keySet()).map(String::valueOf).containsExactly("name", "state", "stack");
        });
    }

    @Test
    void namesMayHoldAnything(EventLoop loop) throws Exception {
        loop.run(() -> {
            var task = loop.spawn(NASTY, Turns::forever);
            var json = loop.dumpTasks().toJson();
            assertThat(json).doesNotContain("\n").contains("\\u0001\\u2028\ud83d\ude00\\ud83d\"");
            assertThat(((Map<?, ?>) tasks(loop.dumpTasks()).getLast()).get("name"))
                    .isEqualTo(NASTY);
            task.cancel();
            Combine.gatherOutcomes(List.of(task)).await();
        });
    }
}
