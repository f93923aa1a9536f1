package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.transport.SteeringProgram.Instruction;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs that choose a listener by CPU, run by an interpreter of the few instructions that they use. */
class SteeringProgramTest {
    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_GREATER = 0x25;
    private static final int MODULO = 0x94;
    private static final int RETURN_CONSTANT = 0x06;
    private static final int RETURN_RESULT = 0x16;

    private static int run(List<Instruction> program, int cpu) {
        int result = 0;
        for (int at = 0; at < program.size(); at++) {
            var next = program.get(at);
            switch (next.code()) {
                case LOAD_WORD -> {
                    assertThat(next.operand()).isEqualTo(libc.SKF_AD_OFF() + libc.SKF_AD_CPU());
                    result = cpu;
                }
                case JUMP_GREATER ->
                    at += Integer.compareUnsigned(result, next.operand()) > 0 ? next.ifTrue() : next.ifFalse();
                case MODULO -> result = Integer.remainderUnsigned(result, next.operand());
                case RETURN_CONSTANT -> {
                    return next.operand();
                }
                case RETURN_RESULT -> {
                    return result;
                }
                default -> throw new AssertionError("unknown instruction: " + next);
            }
        }
        throw new AssertionError("the program runs off its end: " + program);
    }

    private static void check(int[] listenerOfCpu, int listeners) {
        var program = SteeringProgram.of(listenerOfCpu, listeners);
        assertThat(program).hasSizeLessThanOrEqualTo(SteeringProgram.LONGEST).allSatisfy(instruction -> {
            assertThat(instruction.ifTrue()).isBetween(0, 255);
            assertThat(instruction.ifFalse()).isBetween(0, 255);
        });
        for (int cpu = 0; cpu < listenerOfCpu.length + 3 * listeners; cpu++) {
            int mapped = cpu < listenerOfCpu.length ? listenerOfCpu[cpu] : -1;
            assertThat(run(program, cpu)).as("CPU %d", cpu).isEqualTo(mapped < 0 ? cpu % listeners : mapped);
        }
    }

    @Test
    void oneListenerForEachCpuTakesThreeInstructions() {
        check(new int[] {0, 1}, 2);
        var identity = IntStream.range(0, 4096).toArray();
        check(identity, 4096);
        assertThat(SteeringProgram.of(identity, 4096)).hasSize(3);
    }

    @Test
    void rangesOfCpusTakeTwoInstructionsEach() {
        var halves = new int[256];
        Arrays.fill(halves, 128, 256, 1);
        check(halves, 2);
        assertThat(SteeringProgram.of(halves, 2)).hasSize(3 + 2 * 2);
    }

    @Test
    void cpusWithoutAListenerAreSharedOut() {
        check(new int[] {-1, -1, -1, -1, 2, 0, 1}, 3);
        check(new int[] {2, -1, -1, 0, -1, 1, -1}, 3);
        check(new int[] {-1, -1}, 5);
        check(new int[0], 4);
        check(new int[] {0, 0, 0}, 1);
    }

    @Test
    void cpusBeyondATwoByteNumberCount() {
        var far = new int[1501];
        Arrays.fill(far, -1);
        far[1500] = 1;
        far[1024] = 2;
        check(far, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 64})
    void anyMappingIsKept(int listeners) {
        var random = new Random(listeners);
        for (int round = 0; round < 50; round++) {
            var map = new int[random.nextInt(200)];
            for (int cpu = 0; cpu < map.length; cpu++) {
                map[cpu] = cpu > 0 && random.nextInt(3) > 0 ? map[cpu - 1] : random.nextInt(listeners + 1) - 1;
            }
            check(map, listeners);
        }
    }

    @Test
    void aProgramThatIsTooLongIsRefusedWithTheLimit() {
        // No two neighbours alike, and none where the remainder would have it.
        var scattered = IntStream.range(0, 2050).map(cpu -> (cpu + 1) % 7).toArray();
        assertThatThrownBy(() -> SteeringProgram.of(scattered, 7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4096");
        check(Arrays.copyOf(scattered, 2046), 7);
    }

    @Test
    void indexesAndCountsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> SteeringProgram.of(new int[] {0, 2}, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CPU 1");
        assertThatThrownBy(() -> SteeringProgram.of(new int[] {-2}, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SteeringProgram.of(new int[0], 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Steering.incomingCpu(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void instructionsAreEncodedAsTheKernelReadsThem() {
        var program = List.of(new Instruction(0x8025, 255, 254, -4060));
        try (var arena = Arena.ofConfined()) {
            var memory = SteeringProgram.encode(program, arena).asByteBuffer().order(java.nio.ByteOrder.nativeOrder());
            assertThat(memory.remaining()).isEqualTo(8);
            assertThat(memory.getShort(0)).isEqualTo((short) 0x8025);
            assertThat(memory.get(2)).isEqualTo((byte) 255);
            assertThat(memory.get(3)).isEqualTo((byte) 254);
            assertThat(memory.getInt(4)).isEqualTo(-4060);
        }
    }
}
