package io.github.uvloop4j.carrier;

import io.github.uvloop4j.carrier.Contest.Party;
import io.github.uvloop4j.carrier.Contest.Role;
import io.github.uvloop4j.carrier.Contest.Signal;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each kind of lock, wanted by callbacks, tasks and a foreign thread in every order: all get it. */
@Tag("carrier")
@Timeout(60)
class LockOrderTest {
    private static final Party CALLBACK = new Party(Role.CALLBACK, 0);
    private static final Party TASK = new Party(Role.TASK, 0);
    private static final Party FOREIGN = new Party(Role.FOREIGN, 0);
    private static final Party OTHER_CALLBACK = new Party(Role.CALLBACK, 1);
    private static final Party OTHER_TASK = new Party(Role.TASK, 1);

    @ParameterizedTest
    @EnumSource
    void callbackTaskAndForeignThread(Contended kind) {
        race(kind, Signal.LATCH, Contest.orders(List.of(CALLBACK, TASK, FOREIGN)));
    }

    @ParameterizedTest
    @EnumSource
    void holderIsToldByAFutureOfItsLoop(Contended kind) {
        var orders = Contest.orders(List.of(CALLBACK, TASK, FOREIGN)).stream()
                .filter(order -> order.getFirst() != CALLBACK)
                .toList();
        race(kind, Signal.FUTURE, orders);
    }

    @ParameterizedTest
    @EnumSource
    void callbackAndTwoTasks(Contended kind) {
        race(kind, Signal.LATCH, Contest.orders(List.of(CALLBACK, TASK, TASK)));
    }

    @ParameterizedTest
    @EnumSource
    void taskOfOneLoopAndCallbackOfAnother(Contended kind) {
        race(kind, Signal.LATCH, Contest.orders(List.of(TASK, OTHER_CALLBACK, FOREIGN)));
    }

    @ParameterizedTest
    @EnumSource
    void callbacksAndTasksOfTwoLoops(Contended kind) {
        race(kind, Signal.LATCH, Contest.orders(List.of(CALLBACK, TASK, OTHER_CALLBACK, OTHER_TASK)));
    }

    private static void race(Contended kind, Signal signal, List<List<Party>> orders) {
        Contest.all(orders.stream()
                .<Runnable>map(order -> () -> Contest.run(kind, order, signal))
                .toList());
    }
}
