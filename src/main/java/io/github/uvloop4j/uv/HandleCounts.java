package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;

/** How many handles of each type a loop has. Loop thread only, but for reading. */
final class HandleCounts {
    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] counts = new int[uv.UV_HANDLE_TYPE_MAX()];

    void add(int type, int change) {
        COUNTS.setOpaque(counts, type, counts[type] + change);
    }

    /** Those that are above zero, by libuv's names. Any thread. */
    Map<String, Integer> byName() {
        var byName = new HashMap<String, Integer>();
        for (int type = 0; type < counts.length; type++) {
            int count = (int) COUNTS.getOpaque(counts, type);
            if (count > 0) {
                byName.put(uv.uv_handle_type_name(type).getString(0), count);
            }
        }
        return byName;
    }
}
