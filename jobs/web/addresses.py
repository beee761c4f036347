"""Which addresses belong to the public internet: the only ones that production connects to."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

# Not said to be special by every version of `ipaddress`.
_ODD_4: Final = tuple(map(IPv4Network, ("192.0.0.0/24", "192.88.99.0/24")))
_UNICAST_6: Final = IPv6Network("2000::/3")
# Teredo and its like, documentation, 6to4: the first and last reach addresses they hold inside.
_ODD_6: Final = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet's.

    Not so: this machine, private and link-local networks, carriers' networks (100.64.0.0/10),
    multicast, documentation and what wraps an IPv4 address; a mapped one (`::ffff:a.b.c.d`) counts
    as what it maps.  What is no address is not public.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        return _is_public_4(mapped) if mapped else _is_public_6(found)
    return _is_public_4(found)


def _is_public_4(address: IPv4Address) -> bool:
    odd = address.is_multicast or any(address in network for network in _ODD_4)
    return address.is_global and not odd


def _is_public_6(address: IPv6Address) -> bool:
    odd = any(address in network for network in _ODD_6)
    return address in _UNICAST_6 and address.is_global and not odd
