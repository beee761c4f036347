"""Which kinds of work a text speaks of, told from English words that stand for them."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from jobs.text.masks import Masks

# Labels are as they stand in a sentence: "its title speaks of …".
_WORDS: Final[Mapping[str, str]] = {
    "development": r"develop\w*|programm\w*|coder|coding|engineer\w*|full ?stack|back ?end|"
    r"front ?end|software|script|api|app",
    "design": r"design\w*|illustrat\w*|logo|graphic\w*|ui|ux",
    "writing": r"writ\w*|copywrit\w*|blog\w*|article\w*|ghostwrit\w*|author|copy",
    "translation": r"translat\w*|interpret\w*|proofread\w*|locali[sz]\w*|transcri\w*|subtitl\w*",
    "assistance": r"(?<!\bai )(?<!\bvoice )assistant|assistance|administrative|data entry|"
    r"admin (?:assist|support|task|work)\w*|secretar\w*|scheduling",
    "marketing": r"marketing|marketer|ads|advertis\w*|ppc|social media|campaign\w*|seo|"
    r"influencer|outreach|promotion",
    "video": r"video\w*|editor|editing|reels|youtube|animation|animator|film\w*",
    "law": r"lawyer|attorney|paralegal|legal|law|(?<!\bsmart )contract|agreement",
    "accounts and finance": r"accountan\w*|accounting|accounts (?:payable|receivable)|"
    r"bookkeep\w*|tax\w*|cpa|financ\w*|audit\w*|payroll",
    "analysis": r"analy\w*|dashboard\w*|report\w*|statistic\w*|data",
    "teaching": r"train\w*|tutor\w*|teach\w*|lesson\w*|homework|assignment|class|lab|course|"
    r"student\w*|coach\w*",
    "sales": r"sales|cold call\w*|appointment|lead gen\w*|closer|setter|representative|"
    r"(?:estate|insurance|call cent(?:er|re)|commission\w*) agent",
    "testing": r"test\w*|qa",
    "sound": r"music|audio|voice|podcast\w*|sound",
    "scraping": r"scrap\w*|crawl\w*|extraction|mining",
    "recruiting": r"recruit\w*|hiring (?:manager|process)|hr|sourcer",
}
CRAFTS: Final = tuple(_WORDS)
CRAFT_MASKS: Final = Masks(CRAFTS)
_PATTERNS: Final = {craft: re.compile(rf"\b(?:{words})\b") for craft, words in _WORDS.items()}


@lru_cache(maxsize=20_000)
def crafts_of(text: str) -> frozenset[str]:
    """The CRAFTS that a folded text has a word of; none where it has none."""
    return frozenset(craft for craft, words in _PATTERNS.items() if words.search(text))
