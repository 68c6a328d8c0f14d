"""Configuration: which file holds, what its keys mean, and what is said of a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from waitlint.config import Config, ConfigError, Configs, Selection, seconds
from waitlint.finding import Confidence, Severity

NAMES = ("cap/busy-poll", "cap/uncapped-wait", "loop/keep-calling", "tell/silent-wait")


@pytest.fixture(autouse=True)
def _rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("waitlint.config.reading.rule_names", lambda: NAMES)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def config_of(folder: Path, text: str) -> Config:
    write(folder / "waitlint.toml", text)
    return Configs().for_folder(folder)


def test_the_nearest_configuration_holds_as_a_whole(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.waitlint]\nselect = ["loop"]\npedantic = true\n')
    write(tmp_path / "sub/waitlint.toml", 'ignore = ["cap"]\n')
    configs = Configs()
    above, below = configs.for_file(tmp_path / "a.py"), configs.for_file(tmp_path / "sub/deep/er/b.py")
    assert (above.select, above.pedantic) == (("loop",), True)
    assert (below.select, below.ignore, below.pedantic) == (None, ("cap",), False)
    assert below.origin == tmp_path / "sub/waitlint.toml"


def test_a_pyproject_without_our_table_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "waitlint.toml", "pedantic = true\n")
    write(tmp_path / "sub/pyproject.toml", '[project]\nname = "uses-waitlint"\n')
    assert Configs().for_folder(tmp_path / "sub").pedantic


def test_waitlint_toml_goes_before_pyproject(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.waitlint]\npedantic = false\n")
    write(tmp_path / "waitlint.toml", "pedantic = true\n")
    assert Configs().for_folder(tmp_path).pedantic


def test_what_stands_above_the_nearest_one_is_not_read(tmp_path: Path) -> None:
    write(tmp_path / "waitlint.toml", "nonsense = 1\n")
    write(tmp_path / "inner/waitlint.toml", "root = true\n")
    assert not Configs().for_folder(tmp_path / "inner/src").pedantic


def test_an_isolated_run_heeds_where_the_root_is_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path / "waitlint.toml", 'root = true\npedantic = true\nnonsense = "x"\n')
    write(tmp_path / "broken/waitlint.toml", "root = \n")
    configs = Configs(isolated=True)
    assert not configs.for_folder(tmp_path).pedantic
    assert configs.is_root(tmp_path)
    assert not configs.is_root(tmp_path / "broken")


def test_every_key_is_read(tmp_path: Path) -> None:
    config = config_of(
        tmp_path,
        """
        root = true
        select = ["loop", "cap/uncapped-wait"]
        extend-select = ["tell"]
        ignore = ["tell/silent-wait"]
        include = ["extra/**"]
        exclude = ["old"]
        prompts = ["texts/*.txt"]
        surfaces = { skill = false }
        require-step-cap = true
        pedantic = true
        fail-on = "error"
        min-confidence = "medium"
        [per-file-ignores]
        "legacy/**" = ["cap"]
        [severity]
        "loop/keep-calling" = "warning"
        [idle-timeouts]
        proxy = "2 min"
        client = 45
        [idle-timeouts.paths]
        "slow/**" = "1h"
        [typical-duration]
        render_video = "10 min"
        """,
    )
    assert config.root
    assert config.select == ("loop", "cap/uncapped-wait")
    assert (config.include, config.exclude, config.prompts) == (("extra/**",), ("old",), ("texts/*.txt",))
    assert config.surfaces == {"skill": False}
    assert config.severity == {"loop/keep-calling": Severity.WARNING}
    assert (config.fail_on, config.min_confidence) == (Severity.ERROR, Confidence.MEDIUM)
    settings = config.settings
    assert (settings.idle_limit.seconds, settings.client_limit.seconds) == (120.0, 45.0)
    assert settings.idle_limit.stated
    assert "waitlint.toml" in settings.idle_limit.hop
    assert settings.typical_duration == {"render_video": 600.0}
    assert settings.require_step_cap
    assert config.settings_for(tmp_path / "slow/a.py").idle_limit.seconds == 3600.0
    assert config.settings_for(tmp_path / "fast/a.py").idle_limit.seconds == 120.0
    assert config.ignored_in(tmp_path / "legacy/deep/a.py") == ("cap",)
    assert config.ignored_in(tmp_path / "src/legacy.py") == ()
    assert set(config.origins.values()) == {tmp_path / "waitlint.toml"}


def test_without_a_limit_the_default_is_not_called_stated(tmp_path: Path) -> None:
    limit = Config(folder=tmp_path).settings.idle_limit
    assert (limit.seconds, limit.stated) == (100.0, False)


def test_extend_takes_another_file_as_its_base(tmp_path: Path) -> None:
    base = write(tmp_path / "shared/base.toml", 'root = true\npedantic = true\nignore = ["cap"]\n')
    config = config_of(tmp_path / "app", 'extend = "../shared/base.toml"\nignore = ["tell"]\n')
    assert (config.pedantic, config.ignore, config.root) == (True, ("tell",), False)
    assert config.origins["pedantic"] == base
    assert config.origins["ignore"] == tmp_path / "app/waitlint.toml"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('selct = ["loop"]', ["unknown key 'selct'", "'select'"]),
        ('select = ["lop"]', ["select", "'lop'", "'loop'"]),
        ('select = "loop"', ["select", "list"]),
        ('ignore = ["cap/uncaped-wait"]', ["'cap/uncaped-wait'", "'cap/uncapped-wait'"]),
        ('[severity]\n"loop" = "eror"', ["severity", "'loop'", "'error'"]),
        ('[severity]\n"lop" = "error"', ["severity", "'loop'"]),
        ("[idle-timeouts]\nproxi = 60", ["idle-timeouts", "'proxi'", "'proxy'"]),
        ('[idle-timeouts]\nproxy = "soon"', ["idle-timeouts", "'proxy'", "'soon'", "90s"]),
        ("[idle-timeouts]\nproxy = 0", ["above 0"]),
        ("[idle-timeouts]\nproxy = true", ["no length of time"]),
        ("[typical-duration]\nx = -1", ["typical-duration", "'x'"]),
        ("[surfaces]\nskil = false", ["surfaces", "'skil'", "'skill'"]),
        ("[surfaces]\nskill = 0", ["surfaces", "'skill'", "neither true nor false"]),
        ('[[suppress]]\nrule = "loop/keep-calling"', ["suppress", "fingerprint"]),
        ('[[suppress]]\nrules = "loop"', ["suppress", "'rules'", "'rule'"]),
        ("pedantic = 1", ["pedantic", "neither true nor false"]),
        ('fail-on = "warn"', ["fail-on", "'warning'"]),
        ('[per-file-ignores]\n"a.py" = ["loop/keep-caling"]', ["per-file-ignores", "'a.py'", "'loop/keep-calling'"]),
        ('extend = "nowhere.toml"', ["extend", "nowhere.toml"]),
        ('extend = "waitlint.toml"', ["extend", "comes back to itself"]),
        ("select = [", ["not valid TOML"]),
    ],
)
def test_a_wrong_key_or_value_names_file_key_and_the_nearest_right_one(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    with pytest.raises(ConfigError) as caught:
        config_of(tmp_path, text)
    message = str(caught.value)
    assert str(tmp_path / "waitlint.toml") in message
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("value", "expected"), [(5, 5.0), (0.5, 0.5), ("90s", 90.0), ("5 min", 300.0), ("1h", 3600.0), ("250ms", 0.25)]
)
def test_lengths_of_time(value: object, expected: float) -> None:
    assert seconds(value) == expected


@pytest.mark.parametrize(
    ("config", "line", "expected"),
    [
        ({}, {}, NAMES),
        ({"select": ("cap",)}, {}, NAMES[:2]),
        ({"select": ("cap",), "ignore": ("cap/busy-poll",)}, {}, NAMES[1:2]),
        ({"ignore": ("cap",)}, {}, NAMES[2:]),
        ({"ignore": ("cap",)}, {"extend_select": ("cap/busy-poll",)}, (NAMES[0], *NAMES[2:])),
        ({"select": ("cap/busy-poll",), "ignore": ("cap",)}, {}, NAMES[:1]),
        ({"select": ("cap",), "ignore": ("cap",)}, {}, ()),
        ({"select": ("loop",)}, {"select": ("cap",)}, NAMES[:2]),
        ({"ignore": ("cap",)}, {"select": ("cap",)}, NAMES[:2]),
        ({"select": ("cap",)}, {"ignore": ("cap/busy-poll",)}, NAMES[1:2]),
        ({"select": ("cap",)}, {"extend_select": ("tell",)}, (*NAMES[:2], NAMES[3])),
        ({"ignore": ("all",), "extend_select": ("tell",)}, {}, NAMES[3:]),
        ({}, {"select": ("all",), "ignore": ("tell",)}, NAMES[:3]),
    ],
)
def test_which_rules_are_on(
    tmp_path: Path, config: dict[str, tuple[str, ...]], line: dict[str, tuple[str, ...]], expected: tuple[str, ...]
) -> None:
    assert Selection(**line).rules(Config(folder=tmp_path, **config), NAMES) == frozenset(expected)  # type: ignore[arg-type]
