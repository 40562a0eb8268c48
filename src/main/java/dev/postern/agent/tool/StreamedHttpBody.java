package dev.postern.agent.tool;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A response's body that is passed on as it arrives; one that is too long is aborted. */
final class StreamedHttpBody implements HttpResponse.BodySubscriber<Boolean> {

    private static final int MOST_IGNORED_BYTES = 64 * 1024;

    /** A receiver of the bytes. Both methods throw a {@link ToolServerException} if a message is too long. */
    private interface Taker {

        /** Takes bytes; false if no more are wanted. */
        boolean take(byte[] bytes);

        void end();
    }

    private final Taker taker;
    private final CompletableFuture<Boolean> read = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    private StreamedHttpBody(Taker taker) {
        this.taker = taker;
    }

    /** A body that is passed on as one text. */
    static StreamedHttpBody whole(Consumer<String> text) {
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        return new StreamedHttpBody(new Taker() {
            @Override
            public boolean take(byte[] bytes) {
                if (taken.size() + bytes.length > LineSplitter.MAX_MESSAGE_BYTES) {
                    throw LineSplitter.tooLong();
                }
                taken.writeBytes(bytes);
                return true;
            }

            @Override
            public void end() {
                text.accept(taken.toString(StandardCharsets.UTF_8));
            }
        });
    }

    /** A body of events; the data of each is passed on, and {@code position} is that of the last one. */
    static StreamedHttpBody events(StreamPosition position, Consumer<String> data) {
        ServerSentEventParser events = new ServerSentEventParser(position, data);
        LineSplitter lines = new LineSplitter(events::line);
        return new StreamedHttpBody(new Taker() {
            @Override
            public boolean take(byte[] bytes) {
                lines.take(bytes, bytes.length);
                return true;
            }

            @Override
            public void end() {
                lines.end();
            }
        });
    }

    /** A body that is read only a little, so that the connection can be used again. */
    static StreamedHttpBody ignored() {
        return new StreamedHttpBody(new Taker() {
            private int count;

            @Override
            public boolean take(byte[] bytes) {
                count += bytes.length;
                return count <= MOST_IGNORED_BYTES;
            }

            @Override
            public void end() {}
        });
    }

    @Override
    public CompletionStage<Boolean> getBody() {
        return read;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        begun.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        try {
            for (ByteBuffer buffer : buffers) {
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                if (!read.isDone() && !taker.take(bytes)) {
                    read.complete(true);
                }
            }
        } catch (ToolServerException tooLong) {
            read.completeExceptionally(tooLong);
        }
        if (read.isDone() && subscription != null) {
            subscription.cancel();
        }
    }

    @Override
    public void onError(Throwable why) {
        read.completeExceptionally(why);
    }

    @Override
    public void onComplete() {
        if (read.isDone()) {
            return;
        }
        try {
            taker.end();
            read.complete(true);
        } catch (ToolServerException tooLong) {
            read.completeExceptionally(tooLong);
        }
    }
}
