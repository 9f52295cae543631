"""Other words for a contract's keys and values, and figures written as words; does not know where they are met.

Theory: a model that answers in the book's language translates keys and values of the contract now and then; what it
means is plain as long as the word has one reading within its field. So a value's aliases count only among the values
that its field allows, and a word with two readings in one field is not in the table. Nothing here is a guess at what
was meant."""

from __future__ import annotations

import re
import unicodedata

# Translated keys → the contract's key. Case, blanks and trailing marks are taken off by `plain_key` before.
_KEY_WORDS: dict[str, str] = {
    "quote": "引文 引用 原文 依据 quotation evidence",
    "source": "出处 来源",
    "title": "标题 题目 章名 书名",
    "pov": "视角",
    "cast": "人物 角色 characters people",
    "places": "地点 locations",
    "change": "变化",
    "knows": "知道",
    "believes": "误以为",
    "asks": "不知道",
    "beats": "拍 各拍",
    "wants": "想要 要什么",
    "against": "阻拦 被什么挡",
    "outcome": "结果",
    "cost": "代价",
    "thing": "物件",
    "words": "字数",
    "promises": "伏笔",
    "keep": "须留",
    "avoid": "避免",
    "end": "结尾 末",
    "end_kind": "章末 endkind",
    "open": "待定",
    "type": "类型",
    "kind": "种类",
    "subject": "主语 主体",
    "predicate": "谓词 relation",
    "object": "宾语 客体 值 value",
    "mode": "模式",
    "time": "时间",
    "summary": "摘要 梗概",
    "facts": "事实",
    "events": "事件",
    "observations": "观察",
    "entities": "实体",
    "clock": "时钟",
    "name": "名字 姓名 名称",
    "aliases": "别名",
    "answers": "答案 回答",
    "verdict": "结论 判断 answer",
    "why": "理由 原因 reason",
    "score": "评分 打分",
    "patches": "补丁",
    "finding": "问题",
    "old": "原句 旧",
    "new": "新",
    "secrets": "秘密",
    "truth": "真相",
    "rules": "规则 规矩",
    "engine": "引擎",
    "ladder": "阶梯",
    "ceiling": "上限",
    "units": "单位",
    "calendar": "历法",
    "items": "物品",
    "groups": "势力",
    "routes": "路线",
    "style": "文风",
    "volumes": "卷",
    "chapters": "章 章节",
    "function": "功能",
    "h": "handle id",
    "hook_ops": "hooks hookops",
    "beats_done": "beatsdone",
    "not_by_patch": "notbypatch",
    "known_by": "knownby",
    "out_from": "outfrom",
    "out_by": "outby",
    "locked_in": "lockedin",
    "last_image": "lastimage",
    "each_win_worsens": "eachwinworsens",
    "licensed_by": "licensedby",
    "depends_on": "dependson",
}
KEYS: dict[str, str] = {word: key for key, words in _KEY_WORDS.items() for word in words.split()}

# The contract's value → other words for it, in any case.
VALUES: dict[str, tuple[str, ...]] = {
    "yes": ("是", "对", "有", "成了", "成", "true", "y"),
    "no": ("否", "不是", "没有", "无", "不成", "没成", "false", "n"),
    "cannot_judge": (
        "无法判断", "不能判断", "判断不了", "不确定", "cannot judge", "can't judge", "cannot_tell", "cannot tell",
        "unclear", "unknown", "n/a", "not applicable",
    ),
    "yes_but": ("成了可是", "成了但是", "成了，可是", "yes but", "yes, but", "yes-but"),
    "no_and": ("不成还更糟", "不成，还更糟", "no and", "no, and", "no-and"),
    "so": ("所以", "因此", "于是", "therefore"),
    "but": ("可是", "但是", "但", "可", "however"),
    "narrated": ("叙述", "narration", "narrative"),
    "dialogue": ("对话", "对白", "口说", "说话", "speech", "dialog", "said"),
    "flashback": ("回忆", "往事", "memory", "recollection"),
    "dream": ("梦", "梦境",),
    "letter": ("书信", "信", "信件", "文书", "written", "document", "paper"),
    "rumour": ("传言", "谣言", "传闻", "听说", "hearsay", "rumor", "gossip"),
    "plan": ("打算", "计划", "意图", "intention", "intent"),
    "upsert": ("新种", "新增", "推进", "plant", "advance", "add", "update", "new"),
    "mention": ("提起", "提及", "mentioned"),
    "resolve": ("兑现", "揭晓", "回收", "了结", "resolved", "payoff", "pay", "close"),
    "defer": ("推后", "推迟", "deferred", "postpone"),
    "abandon": ("作废", "放弃", "abandoned", "drop"),
    "advance": ("推进", "progress"),
    "plant": ("种下", "埋下", "新种", "open", "set up", "setup"),
    "immediate": ("立刻", "马上", "当下",),
    "near-term": ("近期", "短期", "near term", "near_term", "short-term"),
    "mid-arc": ("中期", "中段", "mid arc", "mid_arc", "medium-term"),
    "slow-burn": ("长期", "慢线", "slow burn", "slow_burn", "long-term"),
    "endgame": ("终局", "结局", "end game", "end-game"),
    "book": ("全书", "全书的"),
    "volume": ("卷", "本卷", "分卷"),
    "running": ("随行", "连载", "日常"),
    "danger": ("临危", "危险"),
    "half_reveal": ("揭半", "半揭", "half reveal", "half-reveal"),
    "choice": ("抉择", "选择"),
    "arrival": ("来人来信", "来人", "来信", "到来"),
    "countermove": ("对手落子", "反制", "counter-move", "counter move"),
    "countdown": ("倒计时", "count-down"),
    "result": ("结果", "outcome"),
    "person": ("人", "人物", "people", "character"),
    "place": ("地", "地点", "地方", "location"),
    "item": ("物", "物件", "物品", "thing", "object"),
    "group": ("势力", "团体", "组织", "faction", "organisation", "organization"),
    "secret": ("秘密",),
    "first": ("第一人称", "first person", "first-person"),
    "third": ("第三人称", "third person", "third-person"),
    "past": ("过去时", "past tense"),
    "present": ("现在时", "present tense"),
    "text": ("正文", "文本", "string", "chapter"),
    "papers": ("材料", "底稿", "paper", "material"),
    "number": ("数目", "数字", "integer", "figure"),
    "boolean": ("真假", "是否", "bool"),
    "entity": ("实体", "handle"),
    "event": ("事件",),
    "mode": ("模式", "说法"),
    "who": ("认错人", "人", "identity"),
    "slip": ("记错", "抄错", "mistake"),
    "none": ("无", "没有", "no rule"),
    "up_only": ("只升", "up only", "up-only"),
    "down_only": ("只降", "down only", "down-only"),
    "exclusive": ("独占", "唯一"),
    "absorbing": ("不可逆", "吸收"),
    "balance": ("收支", "结余"),
    "licensed": ("凭事件", "licenced"),
}  # fmt: skip

# What stands for nothing where nothing may stand (design/prompts.md §4).
NOTHING: frozenset[str] = frozenset({"", "null", "none", "nil", "n/a", "无", "没有", "空", "-", "—"})

TRUE: frozenset[str] = frozenset({"true", "yes", "是", "真", "对", "有"})
FALSE: frozenset[str] = frozenset({"false", "no", "否", "假", "不是", "没有", "无"})

UNKNOWN_SOURCE: frozenset[str] = frozenset({"不明", "unknown", "不详", "佚名"})


def plain(text: str) -> str:
    """Width and case folded, outer blanks and full stops off."""
    return unicodedata.normalize("NFKC", text).strip().strip(".。").casefold()


def plain_key(key: str) -> str:
    """A key as it is compared: `Verdict_` → `verdict`, `endKind` → `endkind`, `引文：` → `引文`."""
    return plain(key).strip("_:*`\"' ").replace(" ", "_").replace("-", "_")


def key_of(key: str, known: frozenset[str]) -> str | None:
    """The contract's key that `key` stands for among those known at its place, or null."""
    if key in known:
        return key
    bare = plain_key(key)
    if bare in known:
        return bare
    for name in known:
        if name.replace("_", "") == bare.replace("_", ""):
            return name
    alias = KEYS.get(bare) or KEYS.get(bare.replace("_", ""))
    return alias if alias in known else None


def value_of(value: str, allowed: tuple[str, ...]) -> str | None:
    """The allowed value that `value` stands for, or null where none or several would do."""
    bare = plain(value)
    if bare in allowed:
        return bare
    near = [name for name in allowed if name.replace("_", "-") == bare.replace("_", "-").replace(" ", "-")]
    near = near or [name for name in allowed if bare in map(plain, VALUES.get(name, ()))]
    return near[0] if len(near) == 1 else None


def is_nothing(value: object) -> bool:
    return value is None or (isinstance(value, str) and plain(value) in NOTHING)


# ── figures ───────────────────────────────────────────────────────────────────────────────────────────────────────

_HAN_DIGITS = {
    **dict(zip("零〇一二两三四五六七八九", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)),
    **dict(zip("壹贰叁肆伍陆柒捌玖", range(1, 10), strict=True)),
}
_HAN_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_HAN_TENS = {"廿": 20, "卅": 30}
_HAN_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
# A run of Chinese numerals. 两 counts two only before 百, 千, 万, 亿: elsewhere it may be the tael (一百二十两).
HAN_RUN = "(?:[零〇一二三四五六七八九十百千万亿廿卅壹贰叁肆伍陆柒捌玖拾佰仟萬億]|两(?=[百千万亿佰仟萬億]))+"
_HAN_WHOLE = re.compile(HAN_RUN)
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ENGLISH: dict[str, int] = {word: n for n, word in enumerate(_ONES)} | {w: 20 + 10 * n for n, w in enumerate(_TENS)}
_ENGLISH_GROUPS = {"hundred": 100, "thousand": 1000, "million": 10**6}
_ARABIC = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+-]?\d{1,15}(?:\.\d{1,9})?")


def number_of(text: str) -> int | float | None:
    """The figure that a text is and nothing else (“四十”, "1,220", "forty"), or null."""
    bare = unicodedata.normalize("NFKC", text).strip()
    if _ARABIC.fullmatch(bare):
        value = float(bare.replace(",", ""))
        return int(value) if value.is_integer() else value
    return _han(bare) if _HAN_WHOLE.fullmatch(bare) else _english(bare.casefold())


def _han(text: str) -> int | None:
    if all(char in _HAN_DIGITS for char in text):
        digits = [_HAN_DIGITS[char] for char in text]
        return digits[0] if len(digits) == 1 else int("".join(map(str, digits)))
    total = section = digit = 0
    last_unit = 0
    for char in text:
        if char in _HAN_DIGITS:
            if digit:
                return None  # 二三十 is no figure
            digit = _HAN_DIGITS[char]
            last_unit = 0 if digit == 0 else last_unit
        elif char in _HAN_TENS:
            section += _HAN_TENS[char]
        elif char in _HAN_UNITS:
            last_unit = _HAN_UNITS[char]
            section, digit = section + (digit or 1) * last_unit, 0
        else:
            last_unit = _HAN_GROUPS[char]
            total, section, digit = (total + section + digit) * last_unit, 0, 0
    if digit and last_unit >= 100:
        digit *= last_unit // 10  # 一百二 is 120
    return total + section + digit


def _english(text: str) -> int | None:
    words = [word for word in re.split(r"[\s-]+", text) if word not in ("", "and")]
    total = section = 0
    seen = False
    for word in words:
        if word in _ENGLISH:
            section += _ENGLISH[word]
        elif word in ("a", "an") and not seen:
            section += 1
        elif word == "hundred":
            section = (section or 1) * 100
        elif word in _ENGLISH_GROUPS:
            total, section = total + (section or 1) * _ENGLISH_GROUPS[word], 0
        else:
            return None
        seen = True
    return total + section if seen and words != ["a"] and words != ["an"] else None
