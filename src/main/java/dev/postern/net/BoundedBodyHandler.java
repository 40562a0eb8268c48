package dev.postern.net;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A handler that reads a response's body up to a limit. A longer body gives an empty result, and the rest is not read. */
public final class BoundedBodyHandler implements BodySubscriber<Optional<byte[]>> {

    private final int maxBytes;
    private final CompletableFuture<Optional<byte[]>> body = new CompletableFuture<>();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    private BoundedBodyHandler(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A handler for bodies of up to {@code maxBytes} bytes. */
    public static BodyHandler<Optional<byte[]>> of(int maxBytes) {
        return head -> new BoundedBodyHandler(maxBytes);
    }

    @Override
    public CompletionStage<Optional<byte[]>> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        this.subscription = subscription;
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            if (body.isDone()) {
                return;
            }
            if (buffer.remaining() > maxBytes - taken.size()) {
                body.complete(Optional.empty());
                if (subscription != null) {
                    subscription.cancel();
                }
                return;
            }
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            taken.writeBytes(bytes);
        }
    }

    @Override
    public void onError(Throwable fault) {
        body.completeExceptionally(fault);
    }

    @Override
    public void onComplete() {
        body.complete(Optional.of(taken.toByteArray()));
    }
}
