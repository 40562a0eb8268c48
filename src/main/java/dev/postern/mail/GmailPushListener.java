package dev.postern.mail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.config.MailboxSettings;
import dev.postern.model.HookRequest;
import java.io.IOException;
import java.util.Base64;
import java.util.function.Predicate;

/**
 * A listener for Gmail's Pub/Sub notifications, which say that a mailbox has changed but not how:
 * {@code {"message":{"data":…}}}, whose data is {@code {"emailAddress":…,"historyId":…}} in base64.
 *
 * @see <a href="https://developers.google.com/workspace/gmail/api/guides/push">Push notifications of Gmail</a>
 */
final class GmailPushListener implements Predicate<HookRequest> {

    private static final int MOST_BYTES = 8_192;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String account;
    private final Runnable look;

    /**
     * @param account address of the mailbox whose notifications count
     * @param look starts a poll for new mail
     */
    GmailPushListener(String account, Runnable look) {
        this.account = account;
        this.look = look;
    }

    @Override
    public boolean test(HookRequest request) {
        boolean rings = request.hook().equals(MailboxSettings.HOOK)
                && request.body().length <= MOST_BYTES
                && names(request.body());
        if (rings) {
            look.run();
        }
        return rings;
    }

    private boolean names(byte[] body) {
        try {
            String data = JSON.readTree(body).path("message").path("data").textValue();
            if (data == null) {
                return false;
            }
            JsonNode notification = JSON.readTree(Base64.getMimeDecoder().decode(data));
            return notification.has("historyId")
                    && account.equalsIgnoreCase(
                            notification.path("emailAddress").textValue());
        } catch (IOException | IllegalArgumentException other) {
            return false; // not a notification, so a mapping handles it
        }
    }
}
