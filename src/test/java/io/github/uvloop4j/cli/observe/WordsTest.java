package io.github.uvloop4j.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {
    @Test
    void timesHaveTheUnitThatFits() {
        assertThat(List.of(
                        Words.time(0),
                        Words.time(999),
                        Words.time(1500),
                        Words.time(300_000_000),
                        Words.time(9_900_000_000L),
                        Words.time(75e9)))
                .containsExactly("0 ns", "999 ns", "1.5 us", "300 ms", "9.9 s", "75 s");
    }

    @Test
    void countsStayShort() {
        assertThat(List.of(
                        Words.count(0),
                        Words.count(2.5),
                        Words.count(12_345),
                        Words.count(7_800_000),
                        Words.count(5e12)))
                .containsExactly("0", "2.5", "12,345", "7.8 M", "5000 G");
        assertThat(List.of(Words.many(1, "turn"), Words.many(3, "turn"))).containsExactly("1 turn", "3 turns");
        assertThat(List.of(Words.times(1), Words.times(2), Words.times(3))).containsExactly("once", "twice", "3 times");
    }

    @Test
    void aSmallShareIsNotNone() {
        assertThat(List.of(Words.percent(0), Words.percent(0.001), Words.percent(0.92), Words.percent(1)))
                .containsExactly("0 %", "under 1 %", "92 %", "100 %");
    }

    @Test
    void bytesHaveTheUnitThatFits() {
        assertThat(List.of(Words.bytes(0), Words.bytes(1500), Words.bytes(2e6), Words.bytes(3.5e9)))
                .containsExactly("0 B", "1.5 kB", "2 MB", "3.5 GB");
    }

    @Test
    void noCharacterCommandsATerminal() {
        assertThat(Printable.of("a\033[2Jb\nc\u202ed\u0007\u009b")).isEqualTo("a?[2Jb?c?d??");
        assertThat(Printable.of("grün ▇ \ud83d\ude00")).isEqualTo("grün ▇ \ud83d\ude00");
        assertThat(Printable.of("x\ud83d")).isEqualTo("x?");
    }

    @Test
    void rangesHoldAllValues() {
        var loop = Seen.loop("a")
                .times(Distribution.POLLS, 500, 3)
                .times(Distribution.POLLS, 50_000_000, 2)
                .report();
        var polls = loop.whole().orElseThrow().histogram(Distribution.POLLS);

        assertThat(Sizes.counts(polls)).containsExactly(3, 0, 0, 0, 2, 0, 0);
        assertThat(Sizes.totals(polls)).containsExactly(1500, 0, 0, 0, 100_000_000, 0, 0);
    }
}
