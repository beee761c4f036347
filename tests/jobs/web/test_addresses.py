"""Addresses that production connects to, and those it does not."""

import pytest

from jobs.web.addresses import is_public


@pytest.mark.parametrize(
    "address",
    [
        *("8.8.8.8", "93.184.216.34", "100.63.255.255", "172.32.0.1"),
        *("2606:4700::1111", "::ffff:8.8.8.8"),
    ],
)
def test_the_public_internet(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255"),
        *("192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "224.0.0.1"),
        *("240.0.0.1", "255.255.255.255", "192.0.0.8", "192.0.2.1", "198.18.0.1", "192.88.99.1"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1"),
        *("ff0e::1", "::ffff:127.0.0.1", "::ffff:a00:1", "::ffff:169.254.169.254"),
        *("::10.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:a00:1::", "2001::1"),
        *("2001:db8::1", "3fff::1", "5f00::1", "100::1", "", "localhost", "8.8.8", "1"),
    ],
)
def test_everything_else(address):
    assert not is_public(address)
