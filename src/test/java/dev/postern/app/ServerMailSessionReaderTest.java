package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.config.MailboxSettings.Security;
import dev.postern.mail.MailSession;
import dev.postern.model.Secret;
import jakarta.mail.Authenticator;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.Session;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Tests of reading a mail session that a server has bound. */
class ServerMailSessionReaderTest {

    @Test
    void isNoneOfAnotherKindOfObject() {
        assertThatThrownBy(() -> ServerMailSessionReader.read("a text"))
                .isInstanceOf(ReflectiveOperationException.class);
        assertThatThrownBy(() -> ServerMailSessionReader.read(
                        session(Map.of("mail.imap.host", "a", "mail.imap.port", "imap"), null)))
                .isInstanceOf(NumberFormatException.class);
    }

    @Test
    void namesNothingWhereItSaysNothing() throws Exception {
        MailSession read = ServerMailSessionReader.read(session(Map.of(), null));

        assertThat(read.host()).isNull();
        assertThat(read.port()).isNull();
        assertThat(read.username()).isNull();
        assertThat(read.password()).isNull();
        assertThat(read.security()).isNull();
    }

    @Test
    void hasTheServerTheUserAndWhatItsAuthenticatorAnswers() throws Exception {
        MailSession read = ServerMailSessionReader.read(session(
                Map.of(
                        "mail.store.protocol", "imaps",
                        "mail.imaps.host", "imap.example.com",
                        "mail.imaps.port", "1993",
                        "mail.imaps.user", "ada",
                        "mail.imaps.ssl.trust", "imap.example.com",
                        "mail.smtp.host", "smtp.example.com"),
                "a-password"));

        assertThat(read.host()).isEqualTo("imap.example.com");
        assertThat(read.port()).isEqualTo(1993);
        assertThat(read.security()).isEqualTo(Security.TLS);
        assertThat(read.username()).isEqualTo("ada");
        assertThat(read.password()).isEqualTo(new Secret("a-password"));
        assertThat(read.options())
                .containsEntry("ssl.trust", "imap.example.com")
                .doesNotContainKey("smtp.host");
    }

    @Test
    void goesByItsPropertiesWhereItHasNoAuthenticator() throws Exception {
        MailSession read = ServerMailSessionReader.read(session(
                Map.of(
                        "mail.host", "mail.example.com",
                        "mail.user", "ada",
                        "mail.imap.password", "a-password",
                        "mail.imap.starttls.enable", "false"),
                null));

        assertThat(read.host()).isEqualTo("mail.example.com");
        assertThat(read.port()).isEqualTo(143);
        assertThat(read.username()).isEqualTo("ada");
        assertThat(read.password()).isEqualTo(new Secret("a-password"));
        assertThat(read.security()).isEqualTo(Security.NONE);
    }

    private static Session session(Map<String, String> settings, String password) {
        Properties properties = new Properties();
        properties.putAll(settings);
        return Session.getInstance(
                properties,
                password == null
                        ? null
                        : new Authenticator() {
                            @Override
                            protected PasswordAuthentication getPasswordAuthentication() {
                                return new PasswordAuthentication(getDefaultUserName(), password);
                            }
                        });
    }
}
