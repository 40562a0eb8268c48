package dev.postern.http;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Told when a server no longer lets a request wait: Tomcat calls it a timeout when it ends a web application. */
final class WaitEnd implements AsyncListener {

    private final Runnable answer;

    /** @param answer sends the answer that is due then */
    WaitEnd(Runnable answer) {
        this.answer = answer;
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        answer.run();
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
