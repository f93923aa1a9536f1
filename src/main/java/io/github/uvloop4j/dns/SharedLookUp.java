package io.github.uvloop4j.dns;

import io.github.uvloop4j.util.HostAnswers;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One look-up that several wait for. It is given up when all of them have given up. */
final class SharedLookUp {
    private final CachingResolver cache;
    private final CachingResolver.Key key;
    private final List<Asker> askers = new ArrayList<>();
    private @Nullable CompletableFuture<?> source;
    private boolean givenUp;

    SharedLookUp(CachingResolver cache, CachingResolver.Key key) {
        this.cache = cache;
        this.key = key;
    }

    /** One who waits. */
    final class Asker extends CompletableFuture<List<InetAddress>> {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                leave(this);
            }
            return cancelled;
        }
    }

    /** Under the lock of the cache. */
    Asker join() {
        var asker = new Asker();
        synchronized (this) {
            askers.add(asker);
        }
        return asker;
    }

    void begin(Resolver resolver) {
        CompletionStage<List<InetAddress>> stage;
        try {
            stage = resolver.resolve(key.host(), key.family());
            if (stage == null) {
                throw new IllegalStateException("the resolver " + resolver + " returned null for " + key.host());
            }
            keep(stage);
        } catch (Throwable error) {
            end(null, error);
            return;
        }
        stage.whenComplete((found, error) -> {
            if (error != null) {
                end(null, unwrapped(error));
                return;
            }
            try {
                end(HostAnswers.checked(resolver, key.host(), key.family(), found), null);
            } catch (Throwable wrong) {
                end(null, wrong);
            }
        });
    }

    private static Throwable unwrapped(Throwable error) {
        var cause = error.getCause();
        return error instanceof CompletionException && cause != null ? cause : error;
    }

    private void keep(CompletionStage<?> stage) {
        CompletableFuture<?> future;
        try {
            future = stage.toCompletableFuture();
        } catch (UnsupportedOperationException uncancellable) {
            return;
        }
        boolean late;
        synchronized (this) {
            source = future;
            late = givenUp;
        }
        if (late) {
            future.cancel(true);
        }
    }

    private void end(@Nullable List<InetAddress> found, @Nullable Throwable failure) {
        cache.ended(this, key, found, failure);
        List<Asker> all;
        synchronized (this) {
            all = List.copyOf(askers);
        }
        for (var asker : all) {
            if (failure != null) {
                asker.completeExceptionally(failure);
            } else {
                asker.complete(found);
            }
        }
    }

    private void leave(Asker asker) {
        CompletableFuture<?> work;
        synchronized (cache) {
            synchronized (this) {
                askers.remove(asker);
                if (!askers.isEmpty()) {
                    return;
                }
                givenUp = true;
                work = source;
                cache.abandoned(this, key);
            }
        }
        if (work != null) {
            work.cancel(true);
        }
    }
}
