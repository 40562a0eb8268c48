package dev.postern.agent.chat;

import dev.postern.agent.ProviderBreaker.Denied;
import dev.postern.agent.TurnResult.Failed;
import dev.postern.agent.TurnResult.ProviderDown;
import dev.postern.config.Settings;
import dev.postern.net.HttpConnections;
import dev.postern.net.ProxyException;
import dev.postern.net.TlsFailures;
import java.io.IOException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;

/**
 * The messages for turns without a reply: the reason and what to check. They consist only of names in the configuration and
 * of numbers: no key, no address, nothing that was sent or received.
 *
 * @param model the model's name in the turn, {@code <provider>/<model>}
 */
record ProviderFailureMessages(Settings.Provider provider, String model) {

    Failed noName() {
        return failed("names no model that kind " + provider.kind() + " could have: write <provider>/<model>");
    }

    /**
     * The message for an error response that another attempt would not change.
     *
     * @param tools the number of tools in the request
     */
    Failed refused(int status, ProviderErrorKind why, int tools) {
        String advice =
                switch (why) {
                    case LENGTH -> moreThanItHolds();
                    case OUTPUT -> "its answers may not be that long; set a smaller " + setting("maxTokens");
                    case THINKING, OTHER -> advice(status);
                };
        boolean areToolsToBlame = tools > 0 && why == ProviderErrorKind.OTHER && (status == 400 || status == 422);
        return failed("the provider answered " + status + ": " + advice
                + (areToolsToBlame ? ", and the agent's tools: " + tools + " tools were sent" : ""));
    }

    private String moreThanItHolds() {
        String more =
                provider.kind().equals("ollama") ? "raise " + setting("contextTokens") : "take one that holds more";
        return "the conversation, with the room that its reply needs, is longer than the model's context; " + more
                + ", or give the agent fewer tools, shorter instructions or shorter messages";
    }

    /**
     * A failed request.
     *
     * @param advice what to check, with the sign before it
     */
    record Fault(String what, String advice) {

        /** The message for a turn that has sent the request {@code tries} times. */
        String after(int tries) {
            return what + " (tries: " + tries + ")" + advice;
        }

        /** The message for whatever else needs the provider. */
        String forAll() {
            return what + advice;
        }
    }

    /** The fault of an error response. */
    Fault status(int status) {
        return new Fault("the provider answered " + status, ": " + advice(status));
    }

    /** The message for a provider that asks for a longer pause than the turn may last. */
    String notInTime(int status, Duration pause) {
        return "the provider answered " + status + " and wants " + pause.toSeconds()
                + " s of pause, more than the turn's time allows: " + advice(status);
    }

    /** The message for a provider that has sent nothing until the turn's time was over. */
    String silent(Duration waited) {
        return "the provider sent nothing within " + waited.toSeconds() + " s; check the provider, or "
                + setting("baseUrl");
    }

    private String advice(int status) {
        if (status == 401 || status == 403) {
            return provider.apiKey() == null
                    ? "it wants a key; set " + setting("apiKey")
                    : "check " + setting("apiKey") + ", and whether it may use this model";
        }
        if (status == 404) {
            return "check the model's name and " + setting("baseUrl");
        }
        if (status == 429) {
            return "its rate limit or quota is used up; check the account, or lower agents.maxConcurrent";
        }
        if (status >= 300 && status < 400) {
            return "redirects are not followed; check " + setting("baseUrl");
        }
        if (status == 408 || status >= 500) {
            return "check the provider, or " + setting("baseUrl");
        }
        return "it does not take the request; check the model's name and what the model can do";
    }

    /** The fault of an attempt without a complete response. */
    Fault lost(IOException fault) {
        String advice = "; check " + setting("baseUrl");
        if (fault.getCause() instanceof UnresolvedAddressException) {
            return new Fault("the provider's host is not known", advice);
        }
        if (fault instanceof HttpConnectTimeoutException) {
            return new Fault(
                    "the provider can't be connected to within " + HttpConnections.CONNECT_TIMEOUT.toSeconds() + " s",
                    advice);
        }
        if (fault instanceof ProxyException) {
            return new Fault(
                    "the provider can't be connected to: " + fault.getMessage(),
                    "; check the JVM's https.proxyHost, or " + setting("baseUrl"));
        }
        if (fault instanceof java.net.ConnectException) {
            return new Fault("the provider can't be connected to", advice);
        }
        if (TlsFailures.isPermanent(fault)) {
            return new Fault(
                    "the connection to the provider can't be secured", advice + " and the server's certificate");
        }
        return new Fault("the connection to the provider broke before the whole answer was there", advice);
    }

    Failed tooLong(int maxBytes) {
        return failed("the provider's answer is longer than " + maxBytes / 1024 / 1024 + " MiB");
    }

    /** The message for a response with more than this number of JSON {@code values}. */
    Failed tooManyValues(int values) {
        return failed("the provider's answer has more than " + values + " values");
    }

    /** The message for a 2xx response that is not in the format of this kind of provider. */
    Failed notAReply() {
        return failed("the provider's answer is no reply as kind " + provider.kind() + " gives it: check "
                + setting("baseUrl") + " and " + setting("kind"));
    }

    /**
     * The message for an empty reply.
     *
     * @param why the model's reason for stopping
     */
    Failed empty(String why) {
        return failed(
                switch (why) {
                    case "length" -> "its output limit was used up before it said anything";
                    case "content_filter" -> "the provider's content filter kept the reply back";
                    default -> "the reply is empty (finish reason " + why + ")";
                });
    }

    /** The message for a model that asks for tools even in its last request, in which it may call none. */
    Failed endless() {
        return failed("it may call no more tools in this turn, but asked for more and gave no reply");
    }

    /** The message for a turn with more than this number of {@code characters}. */
    Failed tooMuch(int characters) {
        return failed("its answers and the results of its tools came to more than " + characters / 1024 / 1024
                + " MiB in one turn; give the agent fewer tools or a smaller maxCalls");
    }

    Failed badKey() {
        return failed("check " + setting("apiKey") + ": it holds characters that no request can carry");
    }

    Failed badAddress() {
        return failed("check the model's name and " + setting("baseUrl") + ": together they make no address");
    }

    private String setting(String name) {
        return "providers." + provider.id() + "." + name;
    }

    /** The result of a turn that failed in this way, which another attempt would not change. */
    Failed failed(String how) {
        return new Failed(sentence(how));
    }

    /** The result of a turn whose provider is down in this way. */
    ProviderDown down(String how, Duration pause) {
        return new ProviderDown(sentence(how), pause);
    }

    /** The result of a turn whose provider is known to be down, so that it gets no request. */
    ProviderDown unasked(Denied denied) {
        return down("the provider is down and was not asked; its last failure: " + denied.reason(), denied.pause());
    }

    private String sentence(String how) {
        return "model " + model + " (kind " + provider.kind() + "): " + how;
    }
}
