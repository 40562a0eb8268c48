package dev.postern.channel.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateAddressRuleTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.1",
                "100.100.100.200",
                "100.127.255.255",
                "127.0.0.1",
                "127.9.9.9",
                "168.63.129.16",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.192",
                "192.0.2.1",
                "192.168.1.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.7",
                "224.0.0.1",
                "239.255.255.250",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::7f00:1",
                "::ffff:10.0.0.1",
                "64:ff9b::a9fe:a9fe",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:db8::1",
                "2002:a00:1::1",
                "3fff::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "febf::1",
                "fec0::1",
                "ff02::1"
            })
    void holdWhatNobodyOutsideCanMean(String address) throws UnknownHostException {
        assertThat(PrivateAddressRule.isPrivate(InetAddress.getByName(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.1",
                "100.63.255.255",
                "100.128.0.0",
                "168.63.129.17",
                "169.253.255.255",
                "172.15.255.255",
                "172.32.0.0",
                "192.169.0.0",
                "198.17.255.255",
                "223.255.255.255",
                "::ffff:1.1.1.1",
                "64:ff9b::101:101",
                "2001:4860:4860::8888",
                "2002:101:101::1",
                "2606:4700:4700::1111"
            })
    void doNotHoldThePublicOnes(String address) throws UnknownHostException {
        assertThat(PrivateAddressRule.isPrivate(InetAddress.getByName(address))).isFalse();
    }
}
