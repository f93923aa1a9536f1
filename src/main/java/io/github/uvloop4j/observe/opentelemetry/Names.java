package io.github.uvloop4j.observe.opentelemetry;

import io.github.uvloop4j.EventLoop;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;

/** What all that is exported here is called by. */
final class Names {
    static final String SCOPE = "io.github.uvloop4j";
    static final String PREFIX = "uvloop4j.loop.";
    static final AttributeKey<String> LOOP = AttributeKey.stringKey("uvloop4j.loop.name");

    private Names() {}

    /** The attributes of a loop; the caller's win. */
    static Attributes of(EventLoop loop, Attributes more) {
        return Attributes.builder()
                .put(LOOP, loop.options().name())
                .putAll(more)
                .build();
    }
}
