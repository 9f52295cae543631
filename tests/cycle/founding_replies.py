"""Two invented books as a founder would answer for them, one Chinese and one English, with what a founding needs."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from inkos.adapters.package_data import messages, prompt_tables, questions, rule_packs, templates
from inkos.config import BookConfig, LengthConfig
from inkos.cycle.foundation import FoundingDesk
from inkos.messages import Language
from inkos.prompts.kit import Kit

# Read once, when the module is imported: a pure test touches no disk.
templates(), questions(), prompt_tables(), rule_packs(), messages("zh"), messages("en")

BRIEF: dict[Language, str] = {
    "zh": "# 渡口灯\n主角叶三更在寒石渡守灯，每夜添油三十九斤。"
    "他欠船行一百二十两，期限是冬至。第20章之前不许揭穿谁灭了灯。\n"
    "文风要求：短句。正文不用“突然”。\n",
    "en": "# The Night Ferry\nNell Harrow keeps the lamp at Coldstone Ferry and burns 39 pounds of oil a night. "
    "She owes the boat company 120 crowns, due at midwinter. Nobody may learn before chapter 20 who put the lamp out.\n"
    "Style: short sentences. Never use the word suddenly.\n",
}


def found(language: Language) -> dict[str, Any]:
    return FOUND_ZH() if language == "zh" else FOUND_EN()


def FOUND_ZH() -> dict[str, Any]:
    return {
        "engine": {
            "want": "叶三更要在冬至前还清一百二十两",
            "opposition": "船行的账房要收走灯楼",
            "locked_in": "灯楼是他爹留下的，船行缺了灯也过不了渡",
            "each_win_worsens": "每保住一夜灯，船行就多记一笔新账",
        },
        "ladder": [
            {"arena": "渡口", "opponent": "账房", "price": "三天工钱", "breaks": "赊账"},
            {"arena": "船行", "opponent": "东家", "price": "灯油", "breaks": "讲情面"},
        ],
        "ceiling": "灭掉的那一夜灯补不回来",
        "secrets": [
            {
                "h": "s1",
                "question": "谁灭了那夜的灯？",
                "truth": "阿瑶为了放私船过河，亲手掐灭了灯芯。",
                "known_by": ["p2"],
                "surface": "大家说是风",
                "clues": ["灯楼里多出一只湿鞋印", "油少了半斤"],
                "out_from": 8,
                "out_by": 30,
            }
        ],
        "cast": [
            {
                "h": "p1",
                "function": "守灯人",
                "want": "还清欠账",
                "limit": "不肯离开灯楼",
                "believes": "是风吹灭了灯",
                "tie": "同账房相冲",
                "lines": ["灯在，我在。", "油不等人。"],
                "offstage": "在灯楼擦灯罩",
                "name": "叶三更",
                "aliases": ["三更"],
            },
            {
                "h": "p2",
                "function": "渡口卖茶的",
                "want": "送弟弟过河",
                "limit": "不能见官",
                "believes": "",
                "tie": "躲着账房",
                "lines": ["茶凉了就别问。", "过河要趁早。"],
                "offstage": "夜里在码头等人",
                "name": "阿瑶",
                "aliases": [],
            },
            {
                "h": "p3",
                "function": "船行账房",
                "want": "收走灯楼",
                "limit": "不敢动东家的私账",
                "believes": "叶三更偷油",
                "tie": "逼叶三更还钱",
                "lines": ["账上写着呢。", "一文也是文。"],
                "offstage": "在船行翻旧账",
                "name": "钱友德",
                "aliases": ["钱账房"],
            },
        ],
        "rules": [{"can": "灯亮可渡", "cannot": "灯灭不许开船", "price": "误渡一夜罚三两", "enforcer": "船行"}],
        "units": ["一两合一千文"],
        "calendar": {"day": 1, "label": "十月初一", "season": "初冬"},
        "places": [
            {"h": "l1", "name": "寒石渡", "note": "一座灯楼，两条船"},
            {"h": "l2", "name": "船行", "note": "在对岸"},
        ],
        "items": [{"h": "i1", "name": "铜灯", "note": "每夜添油三十九斤"}],
        "groups": [{"h": "g1", "name": "渡河会", "note": "船工的会"}],
        "routes": [{"from": "l1", "to": "l2", "by": "渡船", "takes": "半个时辰"}],
        "style": {"person": "third", "pov": "p1", "tense": None, "wants": ["短句"], "bans": ["突然", "仿佛"]},
    }


def FOUND_EN() -> dict[str, Any]:
    return {
        "engine": {
            "want": "Nell means to pay off 120 crowns before midwinter",
            "opposition": "the company's clerk wants the lamp house",
            "locked_in": "the lamp house was her father's, and no boat may cross without it",
            "each_win_worsens": "each night the lamp burns, the company books a new debt",
        },
        "ladder": [
            {"arena": "the ferry", "opponent": "the clerk", "price": "three days' pay", "breaks": "credit"},
            {"arena": "the office", "opponent": "the owner", "price": "her oil", "breaks": "goodwill"},
        ],
        "ceiling": "the night that went dark is never made good",
        "secrets": [
            {
                "h": "s1",
                "question": "Who put out the lamp that night?",
                "truth": "Ada Quill pinched out the wick with her own fingers so that a smuggler's boat could cross.",
                "known_by": ["p2"],
                "surface": "everyone blames the wind",
                "clues": ["a wet shoe print in the lamp house", "half a pound of oil gone"],
                "out_from": 8,
                "out_by": 30,
            }
        ],
        "cast": [
            {
                "h": "p1",
                "function": "lamp keeper",
                "want": "to pay her debt",
                "limit": "will not leave the lamp",
                "believes": "the wind blew the lamp out",
                "tie": "at odds with the clerk",
                "lines": ["Lamp's lit. So am I.", "Oil won't wait."],
                "offstage": "polishes the glass",
                "name": "Nell Harrow",
                "aliases": ["Nell"],
            },
            {
                "h": "p2",
                "function": "sells tea at the ferry",
                "want": "to get her brother across",
                "limit": "cannot be seen by the law",
                "believes": "",
                "tie": "keeps away from the clerk",
                "lines": ["Drink it hot or don't ask.", "Cross early."],
                "offstage": "waits on the quay at night",
                "name": "Ada Quill",
                "aliases": ["Ada"],
            },
            {
                "h": "p3",
                "function": "clerk of the boat company",
                "want": "the lamp house",
                "limit": "dares not open the owner's private book",
                "believes": "Nell steals oil",
                "tie": "presses Nell for money",
                "lines": ["It is written down.", "A penny is a penny."],
                "offstage": "reads old accounts",
                "name": "Josiah Pym",
                "aliases": ["Pym"],
            },
        ],
        "rules": [
            {
                "can": "boats cross by lamplight",
                "cannot": "no boat sails in the dark",
                "price": "three crowns a night",
                "enforcer": "the company",
            }
        ],
        "units": ["1 crown is 20 pence"],
        "calendar": {"day": 1, "label": "the first of October", "season": "early winter"},
        "places": [
            {"h": "l1", "name": "Coldstone Ferry", "note": "one lamp house, two boats"},
            {"h": "l2", "name": "the Office", "note": "on the far bank"},
        ],
        "items": [{"h": "i1", "name": "the brass lamp", "note": "burns 39 pounds of oil a night"}],
        "groups": [{"h": "g1", "name": "the Ferrymen", "note": "the boatmen's lodge"}],
        "routes": [{"from": "l1", "to": "l2", "by": "boat", "takes": "half an hour"}],
        "style": {
            "person": "third",
            "pov": "p1",
            "tense": "past",
            "wants": ["short sentences"],
            "bans": ["suddenly", "seemed"],
        },
    }


ENDS = ("danger", "half_reveal", "choice", "arrival", "countermove", "countdown", "result")


def outline(language: Language) -> dict[str, Any]:
    zh = language == "zh"
    beat = (
        "叶三更要添油，账房扣下油票，只换来半桶"
        if zh
        else "Nell wants oil, the clerk keeps the slip, half a barrel comes of it"
    )
    facts = (
        [
            ("p1", "location", "l1", "寒石渡：一座灯楼，两条船"),
            ("p1", "debt", "120两", "他欠船行一百二十两"),
            ("i1", "holder", "p1", "每夜添油三十九斤"),
            ("p3", "role", "账房", "船行账房"),
        ]
        if zh
        else [
            ("p1", "location", "l1", "Coldstone Ferry: one lamp house, two boats"),
            ("p1", "debt", "120", "owes the boat company 120 crowns"),
            ("i1", "holder", "p1", "burns 39 pounds of oil a night"),
            ("p3", "role", "clerk", "clerk of the boat company"),
        ]
    )
    return {
        "promises": [
            {
                "h": "h1",
                "type": "book",
                "core": "灯会不会再亮" if zh else "will the lamp burn again",
                "timing": "endgame",
                "trigger": "冬至到了" if zh else "midwinter comes",
                "depends_on": [],
            },
            {
                "h": "h2",
                "type": "running",
                "core": "油票去了哪里" if zh else "where the oil slip went",
                "timing": "near-term",
                "trigger": "",
                "depends_on": ["h1"],
            },
        ],
        "volumes": [
            {
                "title": "欠账" if zh else "Debt",
                "from": 1,
                "to": 15,
                "goal": "保住灯楼" if zh else "keep the lamp house",
                "loss": "失了船" if zh else "the boat is lost",
            },
            {
                "title": "冬至" if zh else "Midwinter",
                "from": 16,
                "to": 40,
                "goal": "还清" if zh else "pay it all",
                "loss": "没有" if zh else "",
            },
        ],
        "chapters": [
            {
                "title": f"{'灯' if zh else 'Lamp'} {n + 1}",
                "function": "立账" if zh else "sets the debt",
                "beats": [f"{beat} {n}{b}" for b in range(4)],
                "required": "",
                "end_kind": ENDS[n % 7],
            }
            for n in range(10)
        ],
        "last_image": "冰上一盏灯" if zh else "a lamp on the ice",
        "title": "渡口灯" if zh else "The Night Ferry",
        "intent": "叶三更守住灯，失了渡口。" if zh else "Nell keeps the lamp and loses the ferry.",
        "focus": "头三章把账立起来。" if zh else "The first three chapters set the debt.",
        "predicates": [
            {
                "name": "lamp_oil",
                "subject": "item",
                "value": "number",
                "many": False,
                "unit": "斤" if zh else "pounds",
                "rule": "none",
                "licensed_by": [],
                "means": "灯里的油" if zh else "oil in the lamp",
            }
        ],
        "state": {
            "facts": [{"subject": s, "predicate": p, "object": o, "quote": q} for s, p, o, q in facts],
            "clock": {"day": 1, "time": "19:30", "label": "十月初一" if zh else "the first of October"},
        },
    }


def reply(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def config(language: Language) -> BookConfig:
    return BookConfig(
        id=f"lamp-{language}", title="lamp", language=language, chapters=40, length=LengthConfig(target=2000)
    )


@cache
def desk(language: Language) -> FoundingDesk:
    kit = Kit.build(language, templates(), questions(), prompt_tables())
    return FoundingDesk(kit=kit, words=messages(language), packs=tuple(rule_packs().values()))


def done_files(language: Language) -> tuple[str, dict[str, str]]:
    """A founded book's delta 0 as JSON, and its files."""
    from inkos.cycle.foundation import absorb, start
    from inkos.cycle.wants import Replied

    state = start(BRIEF[language], config(language))
    for name, value in (("found.1", found(language)), ("outline.1", outline(language))):
        state = absorb(state, Replied(want=name, text=reply(value)), desk(language))
    assert state.founded is not None
    return state.founded.genesis.model_dump_json(), state.founded.files
