package dev.postern.http;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** A listener that is told once an asynchronous request has ended, however it did. */
final class AsyncEndListener implements AsyncListener {

    private final Runnable end;

    /** @param end run on a thread of the server's, perhaps more than once */
    AsyncEndListener(Runnable end) {
        this.end = end;
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end.run();
    }

    @Override
    public void onError(AsyncEvent event) {
        end.run();
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
