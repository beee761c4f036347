"""Addresses that can lead nowhere."""

import pytest


@pytest.mark.parametrize("path", ["job/%00/change/", "job/x%00y/change/"])
def test_an_admin_address_with_a_nul_leads_nowhere(client, path):
    assert client.get(f"/admin/jobs/{path}", secure=True).status_code == 404
