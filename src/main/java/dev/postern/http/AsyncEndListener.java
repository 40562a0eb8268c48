package dev.postern.http;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** A listener for the end of an asynchronous request, whether it completed or failed. */
final class AsyncEndListener implements AsyncListener {

    private final Runnable end;

    /** @param end runs on a thread of the server, possibly more than once */
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
