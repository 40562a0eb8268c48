package dev.postern.channel.vendor;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes an answer's body in, up to {@value #MAX_BYTES} bytes; of what is longer nothing is left, and the rest is not read. */
final class LimitedBody implements BodySubscriber<byte[]> {

    /** Some services send the text back, twice, with six bytes for each character. */
    static final int MAX_BYTES = 512 * 1024;

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    @Override
    public CompletionStage<byte[]> getBody() {
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
            if (buffer.remaining() > MAX_BYTES - taken.size()) {
                body.complete(new byte[0]);
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
        body.complete(taken.toByteArray());
    }
}
