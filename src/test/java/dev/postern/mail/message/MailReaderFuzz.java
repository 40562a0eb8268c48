package dev.postern.mail.message;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.postern.it.InputCounter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A fuzz target of mails. An input is a mail's bytes; none is too strange to be read. */
@Tag("fuzz")
class MailReaderFuzz {

    @RegisterExtension
    static final InputCounter INPUTS = new InputCounter("mails");

    @FuzzTest
    void readsAnyMail(byte[] mail) throws Exception {
        INPUTS.increment();
        StrangeMailsTest.assertIsRead(mail);
    }
}
