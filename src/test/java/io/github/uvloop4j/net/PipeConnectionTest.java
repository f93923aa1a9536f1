package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tasks that read and write pipes. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class PipeConnectionTest {
    @Test
    @Tag("cells")
    void linesGoThroughAPipe(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            try (var in = loop.net().openReadPipe(pair.reader());
                    var out = loop.net().openWritePipe(pair.writer())) {
                out.write("one\ntwo\n");
                assertThat(in.readLine()).isEqualTo("one");
                out.shutdownOutput();
                assertThat(in.readLine()).isEqualTo("two");
                assertThat(in.readLine()).isNull();
            }
        });
    }

    @Test
    @Tag("cells")
    void aWriterParksWhileThePipeIsFull(EventLoop loop) throws Exception {
        var data = Recorder.pattern(2_000_003);
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var in = loop.net().openReadPipe(pair.reader());
            var out = loop.net().openWritePipe(pair.writer());
            var writing = loop.spawn(() -> {
                try (out) {
                    out.write(data);
                }
            });
            Turns.next(loop, 5);
            assertThat(writing.isDone()).isFalse();
            assertThat(in.readAll()).isEqualTo(data);
            writing.await();
            in.close();
        });
    }

    @Test
    void onePipeIsPassedOnToAnother(EventLoop loop) throws Exception {
        var data = Recorder.pattern(300_000);
        loop.run(() -> {
            var first = loop.sockets().openPipe();
            var second = loop.sockets().openPipe();
            var out = loop.net().openWritePipe(first.writer());
            loop.spawn(() -> {
                try (out) {
                    out.write(data);
                }
            });
            var middle = loop.spawn(() -> {
                try (var from = loop.net().openReadPipe(first.reader());
                        var to = loop.net().openWritePipe(second.writer())) {
                    return from.transferTo(to);
                }
            });
            try (var in = loop.net().openReadPipe(second.reader())) {
                assertThat(in.readAll()).isEqualTo(data);
            }
            assertThat(middle.await()).isEqualTo(data.length);
        });
    }

    @Test
    @Tag("cells")
    void aWriterThatWaitsIsToldThatTheReaderLeft(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var out = loop.net().openWritePipe(pair.writer());
            var writing = loop.spawn(() -> out.write(new byte[1 << 20]));
            Turns.next(loop, 3);
            pair.reader().close();
            assertThatThrownBy(writing::await).isInstanceOf(IOException.class).hasMessageContaining("EPIPE");
        });
    }

    @Test
    void anIdleWriterIsToldThatTheReaderLeft(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var out = loop.net().openWritePipe(pair.writer());
            pair.reader().close();
            out.waitClosed().await(Recorder.LIMIT);
            assertThatThrownBy(() -> out.write("x"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("EPIPE");
            out.close();
        });
    }

    @Test
    void theOtherDirectionIsNotThere(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            try (var in = loop.net().openReadPipe(pair.reader());
                    var out = loop.net().openWritePipe(pair.writer())) {
                assertThatThrownBy(() -> in.write("x")).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(in::shutdownOutput).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(() -> in.outputStream().write(1)).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(out::readLine).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(out::readAll).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(() -> out.inputStream().read()).isInstanceOf(UnsupportedOperationException.class);
                assertThat(out.isIdle()).isFalse();
            }
        });
    }

    @Test
    void aTaskThatIsCancelledLeavesWhatIsThere(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            try (var in = loop.net().openReadPipe(pair.reader())) {
                var reading = loop.spawn(() -> in.readExactly(2));
                Fds.write(pair.writer().fd(), "a");
                Turns.next(loop, 3);
                reading.cancel();
                Turns.until(loop, reading::isDone);
                Fds.write(pair.writer().fd(), "b");
                assertThat(in.readExactly(2)).isEqualTo("ab".getBytes());
            }
            pair.close();
        });
    }
}
