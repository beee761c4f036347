"""SCOUT_SCORER, and the checks of it."""

import pytest

from deliveries.checks import settings_make_sense
from jobs.ai.naming import NamingError, model_of

HOMES = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}


@pytest.mark.parametrize("said", ["", "local", " local "])
def test_local_is_no_model(said):
    assert model_of(said) is None


@pytest.mark.parametrize(
    ("said", "kind", "name", "address"),
    [
        ("openai:gpt-x", "openai", "gpt-x", HOMES["openai"]),
        ("anthropic:claude-x", "anthropic", "claude-x", HOMES["anthropic"]),
        (
            "openai:qwen3:8b@http://127.0.0.1:11434/v1",
            "openai",
            "qwen3:8b",
            "http://127.0.0.1:11434/v1",
        ),
        ("openai:a/b@2@https://api.example/v1/", "openai", "a/b@2", "https://api.example/v1"),
        ("openai:m@http://ollama:11434/v1", "openai", "m", "http://ollama:11434/v1"),
        ("openai:m@http://[::1]:1/v1", "openai", "m", "http://[::1]:1/v1"),
        ("anthropic:m@http://10.0.0.3/v1", "anthropic", "m", "http://10.0.0.3/v1"),
    ],
)
def test_a_model_and_its_address(said, kind, name, address):
    found = model_of(said)
    assert (found.kind, found.name, found.address) == (kind, name, address)
    assert found.at_home == (address in HOMES.values())
    assert found.scorer == f"{kind}:{name}"


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("gpt-4", "neither local nor"),
        ("openai:", "neither local nor"),
        ("openai: gpt", "neither local nor"),
        ("google:x", "neither local nor"),
        ("openai:@http://localhost/v1", "neither local nor"),
        ("openai:" + "x" * 81, "longer than 80"),
        ("openai:m@http://api.example/v1", "use https"),
        ("openai:m@http://8.8.8.8/v1", "use https"),
        ("openai:m@https://me:secret@api.example/v1", "a login"),
        ("openai:m@https://api.example/v1?key=secret", "a query"),
        ("openai:m@https://api.example:99999/v1", "not a web address"),
        ("openai:m@https:///v1", "not a web address"),
    ],
)
def test_what_names_none_is_told(said, says):
    with pytest.raises(NamingError, match=says) as told:
        model_of(said)
    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    ("changed", "id_", "says"),
    [
        ({"SCOUT_SCORER": "gpt-4"}, "scout.E002", "neither local nor openai:NAME"),
        ({"SCOUT_SCORER": "openai:m"}, "scout.E002", "needs a key: set OPENAI_API_KEY."),
        ({"SCOUT_SCORER": "anthropic:m"}, "scout.E002", "needs a key: set ANTHROPIC_API_KEY."),
        ({"OPENAI_API_KEY": "sé cret"}, "scout.E002", "holds characters that no key has"),
        ({"SCOUT_AI_PRICES": ["m"]}, "scout.E002", "'m' names no model"),
        ({"SCOUT_AI_PRICES": ["m=1"]}, "scout.E002", "'1' is no price"),
        ({"SCOUT_AI_PRICES": ["m=-1/1"]}, "scout.E002", "no price between"),
        ({"SCOUT_AI_CEILING_PRICE": "x/y"}, "scout.E002", "'x/y' is no price"),
        ({"SCOUT_AI_SECONDS": 0}, "scout.E003", "SCOUT_AI_SECONDS is 0"),
        ({"SCOUT_AI_PRICES": ["other=1/2"]}, "scout.W018", "The price of m is not known"),
    ],
)
def test_a_wrong_setting_is_named_without_its_secrets(settings, changed, id_, says):
    settings.SCOUT_SCORER, settings.SCOUT_AI_PRICES = "openai:m@http://localhost/v1", ["m=1/2"]
    for name, value in changed.items():
        setattr(settings, name, value)
    (found,) = settings_make_sense()
    assert (found.id, bool(found.hint)) == (id_, True)
    assert says in found.msg
    assert "cret" not in found.msg


def test_a_whole_configuration_makes_sense(settings):
    settings.SCOUT_SCORER, settings.OPENAI_API_KEY = "openai:m", "sk-secret"
    settings.SCOUT_AI_PRICES = ["m=0.15/0.60", " x = 0/0"]
    assert settings_make_sense() == []
