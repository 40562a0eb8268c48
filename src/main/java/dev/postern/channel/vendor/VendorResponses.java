package dev.postern.channel.vendor;

import dev.postern.channel.Channel.Outcome;
import dev.postern.channel.Channel.Outcome.Later;
import dev.postern.channel.Channel.Outcome.Refused;
import dev.postern.channel.Channel.Outcome.Unsure;
import dev.postern.channel.Channel.Probe;
import dev.postern.channel.vendor.HttpResult.Lost;
import dev.postern.channel.vendor.HttpResult.Response;
import dev.postern.channel.vendor.HttpResult.Unsent;
import java.util.function.Function;

/**
 * An interpreter of a service's responses, which also says what to check. Its sentences contain only names of settings,
 * error codes and numbers: no credential, no address, and no data that was sent.
 *
 * @param name the service's name, for the beginning of sentences
 * @param credential the kind of credential, such as {@code token}
 * @param setting the credential's setting, such as {@code channels.ops.botToken}
 * @param address the setting with the service's address
 * @param limitsAccount whether a rate limit counts all messages of the account, not those to one recipient
 */
record VendorResponses(String name, String credential, String setting, String address, boolean limitsAccount) {

    private static final String PERHAPS = "; the message may have been sent";

    /** An interpreter for a service whose rate limits count the messages to each recipient. */
    VendorResponses(String name, String credential, String setting, String address) {
        this(name, credential, setting, address, false);
    }

    /** The same interpreter, for a rate limit that counts all messages of the account. */
    VendorResponses limitingAccount() {
        return new VendorResponses(name, credential, setting, address, true);
    }

    /** The outcome of a message; {@code judge} interprets a response. */
    Outcome outcome(HttpResult httpResult, Function<Response, Outcome> judge) {
        if (httpResult instanceof Response response) {
            return judge.apply(response);
        }
        if (httpResult instanceof Unsent unsent) {
            return new Later(null, sentence(unsent.fault()));
        }
        return httpResult instanceof Lost lost ? new Unsure(sentence(lost.fault()) + PERHAPS) : new Refused(unfit());
    }

    /**
     * The outcome of a step before a message, which nobody sees, so that it may be repeated; {@code judge} interprets a
     * response.
     */
    Outcome preparation(HttpResult httpResult, Function<Response, Outcome> judge) {
        return httpResult instanceof Lost lost ? new Later(null, sentence(lost.fault())) : outcome(httpResult, judge);
    }

    /** The service's verdict on the credentials; {@code judge} interprets a response. */
    Probe probe(HttpResult httpResult, Function<Response, Probe> judge) {
        if (httpResult instanceof Response response) {
            return judge.apply(response);
        }
        if (httpResult instanceof Unsent unsent) {
            return new Probe.Bad(sentence(unsent.fault()));
        }
        return new Probe.Bad(httpResult instanceof Lost lost ? sentence(lost.fault()) : unfit());
    }

    /**
     * The outcome for a response by its status alone.
     *
     * @param code the error code, as {@link Response#code} gives it
     */
    Outcome byStatus(Response response, String code) {
        int status = response.status();
        if (status == 401) {
            return badCredential(code);
        }
        if (status == 429) {
            return limited(response, code);
        }
        if (status == 408 || status == 425 || status >= 500) {
            return failing(response, code);
        }
        if (status / 100 == 3) {
            return new Refused(name + " answered with a redirect (status " + status + "), which is not followed: check "
                    + address);
        }
        if (status == 404 && !response.body().isContainerNode()) {
            return refused(code, "there is nothing at its address; check " + address);
        }
        return status / 100 == 4 ? refused(code) : unclear(code);
    }

    /** The verdict on the credentials after an outcome that is no success. */
    Probe bad(Outcome outcome) {
        if (outcome instanceof Later later) {
            return new Probe.Bad(later.reason());
        }
        if (outcome instanceof Refused refused) {
            return new Probe.Bad(refused.reason());
        }
        return new Probe.Bad(name + " did not answer as it should: check " + address);
    }

    /** The outcome if the service's rate limit is reached. */
    Later limited(Response response, String code) {
        return new Later(response.pause(), name + " takes no more messages for now (" + code + ")", limitsAccount);
    }

    /** The outcome if the service itself fails. */
    Later failing(Response response, String code) {
        return new Later(response.pause(), name + " can't take the message now (" + code + ")");
    }

    /** The outcome if the credentials are invalid, or lack a permission. */
    Refused badCredential(String code) {
        return new Refused(name + " refused the " + credential + " (" + code + "): set " + setting);
    }

    /** The outcome if the service has restricted the account. */
    Refused held(String code) {
        return new Refused(name + " has restricted the account (" + code + "): it has to be looked at there");
    }

    /** The outcome if the service will never accept the message. */
    Refused refused(String code) {
        return new Refused(name + " refused the message (" + code + ")");
    }

    /** The outcome if the service will never accept the message, with {@code advice} for the operator. */
    Refused refused(String code, String advice) {
        return new Refused(name + " refused the message (" + code + "): " + advice);
    }

    /** The outcome if the service will never accept the file, with {@code advice} for the operator. */
    Refused refusedFile(String code, String advice) {
        return new Refused(name + " refused the file (" + code + "): " + advice);
    }

    /** The outcome if the response does not show whether the message was sent. */
    Unsure unclear(String code) {
        return new Unsure(name + " gave an answer that doesn't tell (" + code + "): check " + address + PERHAPS);
    }

    /** The reason why there is no response. */
    String sentence(HttpResult.Failure failure) {
        return switch (failure) {
            case UNKNOWN_HOST -> name + "'s host is not known: check " + address;
            case NOT_CONNECTED -> name + " can't be connected to: check " + address;
            case NOT_CONNECTED_BY_PROXY ->
                name + " can't be connected to through the proxy: check the JVM's https.proxyHost, or " + address;
            case NOT_SECURED ->
                "the connection to " + name + " can't be secured: check " + address + " and the server's certificate";
            case NO_ANSWER -> name + " did not answer in time";
            case BROKEN -> "the connection to " + name + " broke before the whole answer was there";
            case STOPPED -> "the sending to " + name + " was ended by a shutdown";
        };
    }

    private String unfit() {
        return setting + " or " + address + " holds characters that no request can carry: write it again";
    }
}
