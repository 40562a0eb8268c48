package dev.postern.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsFailuresTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Received fatal alert: handshake_failure",
                "Received fatal alert: unrecognized_name",
                "Unrecognized SSL message, plaintext connection?",
                "No appropriate protocol (protocol is disabled or cipher suites are inappropriate)",
            })
    void arePermanentWithoutACommonWay(String message) {
        assertThat(TlsFailures.isPermanent(new SSLHandshakeException(message))).isTrue();
        assertThat(TlsFailures.isPermanent(new IOException(new SSLException(message))))
                .isTrue();
    }

    @Test
    void arePermanentWithARejectedCertificate() {
        String message = "No name matching closed.example found";

        assertThat(TlsFailures.isPermanent(caused(message, new CertificateException(message))))
                .isTrue();
        assertThat(TlsFailures.isPermanent(
                        caused("closed", new CertificateException(new CertPathBuilderException("no path")))))
                .isTrue();
        assertThat(TlsFailures.isPermanent(new SSLPeerUnverifiedException(message)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Remote host terminated the handshake",
                "Remote host closed the channel",
                "Received close_notify during handshake",
                "closing inbound before receiving peer's close_notify",
                "SSL peer shut down incorrectly",
            })
    void areNotPermanentWhereThePeerCloses(String message) {
        assertThat(TlsFailures.isPermanent(new SSLHandshakeException(message))).isFalse();
        assertThat(TlsFailures.isPermanent(new IOException(new SSLException(message))))
                .isFalse();
    }

    @Test
    void areNotPermanentWhereTheConnectionIsLost() {
        assertThat(TlsFailures.isPermanent(caused("Readable", new SocketException("Connection reset"))))
                .isFalse();
        assertThat(TlsFailures.isPermanent(caused("Readable", new EOFException())))
                .isFalse();
    }

    @Test
    void areOnlyThoseOfTls() {
        assertThat(TlsFailures.isPermanent(new IOException("Connection reset"))).isFalse();
        assertThat(TlsFailures.isPermanent(new IOException(new IllegalStateException())))
                .isFalse();
    }

    private static SSLException caused(String message, Exception cause) {
        return new SSLException(message, cause);
    }
}
