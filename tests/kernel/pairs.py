"""Minimal pairs over all kinds of rule: the same facts, a contradiction, a clean twin. Names stand for entities.

Each row: family, language, facts (subject, predicate, object), what contradicts them, what does not. A side is a list
of events (`!` before the type) and observations: (subject, word, object) or with mode, or with mode and time.
"""

# One pair a line, however long: this is a table.
# ruff: noqa: E501

from __future__ import annotations

from typing import Any

Row = tuple[Any, ...]
Pair = tuple[str, str, list[Row], list[Row], list[Row]]
PAIRS: list[Pair] = [
    # absorbing values and who may act
    ("death-verb", "en", [("Ada", "status", "deceased")], [("Ada", "signs", "the lease")], [("Ada", "signs", "the lease", "letter")]),
    ("death-meets", "zh", [("老周", "状态", "死亡")], [("小满", "相见", "老周")], [("小满", "相见", "老周", "dream")]),
    ("death-returns", "en", [("Ada", "status", "dead")], [("Ada", "status", "alive")], [("!revival", "Ada", None), ("Ada", "status", "alive")]),
    ("death-order", "en", [("Ada", "status", "alive")], [("Ada", "status", "dead")], [("!killed", "Ada", None), ("Ada", "status", "dead")]),
    ("captive", "zh", [("陆沉", "status", "被囚")], [("陆沉", "status", "alive")], [("!获救", "陆沉", None), ("陆沉", "status", "alive")]),
    ("letter-burnt", "en", [("will", "status", "destroyed")], [("Ada", "reads from", "will")], [("Ada", "reads from", "will", "flashback")]),
    ("letter-burnt-2", "zh", [("遗书", "物品状态", "烧毁")], [("程安", "拿出", "遗书")], [("!重制", "遗书", None), ("!修复", "遗书", None), ("程安", "听说", "遗书", "dialogue")]),
    ("potion-used", "en", [("elixir", "condition", "used_up")], [("Ivo", "uses", "elixir")], [("Ivo", "uses", "elixir", "plan")]),
    ("bridge-down", "en", [("old bridge", "status", "destroyed"), ("Ivo", "location", "mill")], [("Ivo", "crosses", "old bridge")], [("Ivo", "crosses", "old bridge", "flashback")]),
    ("gate-shut", "zh", [("北门", "门", "封闭")], [("程安", "走进", "北门")], [("!打开", "北门", None), ("程安", "走进", "北门")]),
    # places and ways
    ("move-zh", "zh", [("程安", "位置", "码头")], [("程安", "位置", "粮仓")], [("!赶路", "程安", "粮仓"), ("程安", "位置", "粮仓")]),
    ("move-other", "en", [("Ivo", "is in", "mill")], [("!travel", "Ivo", "inn"), ("Ivo", "is in", "castle")], [("!travel", "Ivo", "castle"), ("Ivo", "is in", "castle")]),
    ("too-soon", "en", [("Ivo", "location", "mill"), ("mill", "travel_time", "castle: 3 days")],
     [("!travel", "Ivo", "castle"), ("Ivo", "location", "castle", "narrated", "next morning")],
     [("!travel", "Ivo", "castle"), ("Ivo", "location", "castle", "narrated", "four days later")]),
    ("too-soon-zh", "zh", [("程安", "位置", "码头"), ("码头到王城", "行程", "5天")],
     [("!赶路", "程安", "王城"), ("程安", "位置", "王城", "narrated", "次日")],
     [("!赶路", "程安", "王城"), ("程安", "位置", "王城", "narrated", "六天后")]),
    ("two-places", "en", [], [("Ivo", "location", "mill"), ("Ivo", "location", "castle")], [("Ivo", "location", "mill"), ("Ivo", "location", "mill")]),
    ("north", "en", [("castle", "lies north of", "mill")], [("mill", "lies north of", "castle")], [("mill", "lies south of", "castle")]),
    ("distance", "zh", [("码头", "相距", "王城：三十里")], [("码头", "相距", "王城：五十里")], [("码头", "相距", "王城：三十里")]),
    # things and sums
    ("two-holders", "en", [("ring", "owner", "Ada")], [("Ivo", "wears", "ring")], [("!steal", "ring", "Ivo"), ("Ivo", "wears", "ring")]),
    ("lent", "zh", [("油灯", "借给", "程安")], [("阿宁", "使用", "油灯")], [("!归还", "油灯", "阿宁"), ("阿宁", "使用", "油灯")]),
    ("lost-thing", "en", [("compass", "item condition", "lost")], [("Ivo", "takes out", "compass")], [("Ivo", "takes out", "compass", "dream")]),
    ("arrows", "en", [("Ivo", "arrows", "12")], [("Ivo", "arrows", "20")], [("!resupply", "Ivo", "8 arrows"), ("Ivo", "arrows", "20")]),
    ("coins-spend", "en", [("Ada", "coins", "15")], [("Ada", "pays", "40 coins")], [("Ada", "pays", "10 coins")]),
    ("silver", "zh", [("程安", "银两", "八")], [("程安", "花费", "二十两银子")], [("!赚", "程安", "三十两银子"), ("程安", "花费", "二十两银子")]),
    ("debt", "en", [("Ivo", "owes", "300")], [("Ivo", "owes", "100")], [("!repays", "Ivo", "200"), ("Ivo", "owes", "100")]),
    ("sum-up", "zh", [("程安", "钱", "100")], [("!花费", "程安", "30"), ("程安", "钱", "90")], [("!花费", "程安", "30"), ("程安", "钱", "70")]),
    ("lanterns", "en", [("watch", "lanterns", "6")], [("watch", "lanterns", "9")], [("watch", "lanterns", "6")]),
    ("crew-leave", "en", [("crew", "headcount", "10")], [("crew", "headcount", "8")], [("!desertion", "crew", "-2"), ("crew", "headcount", "8")]),
    ("crew-zh", "zh", [("商队", "人数", "十二")], [("商队", "人数", "十五")], [("!加入", "商队", "+3"), ("商队", "人数", "十五")]),
    # bodies and marks
    ("arm-broken", "en", [("Ivo", "injury", "right arm: broken")], [("Ivo", "acts", "swings the axe with his right arm")], [("Ivo", "acts", "swings the axe with his left arm")]),
    ("healed", "zh", [("程安", "伤势", "左腿：断")], [("程安", "伤势", "左腿：完好")], [("!痊愈", "程安", "左腿"), ("程安", "伤势", "左腿：完好")]),
    ("scar-side", "en", [("Ada", "scar", "left cheek")], [("Ada", "scar", "right cheek")], [("Ada", "scar", "left cheek")]),
    ("hair", "zh", [("阿宁", "发色", "黑")], [("阿宁", "发色", "红")], [("!染发", "阿宁", "红"), ("阿宁", "发色", "红")]),
    ("mute", "en", [("Tom", "cannot", "read")], [("Tom", "performs", "read")], [("Tom", "performs", "swim")]),
    ("gender", "en", [("Sasha", "gender", "woman")], [("Sasha", "gender", "man")], [("Sasha", "gender", "man", "rumour")]),
    ("age-down", "en", [("Lin", "age", "40")], [("Lin", "age", "31")], [("Lin", "age", "40")]),
    ("age-zh", "zh", [("林晚", "年龄", "十六"), ("本书", "已过年数", "3")], [("林晚", "年龄", "三十")], [("林晚", "年龄", "十九")]),
    # people among people
    ("married", "en", [("Ada", "married to", "Ivo")], [("Ada", "married to", "Tom")], [("!divorce", "Ada", "Ivo"), ("!marriage", "Ada", "Tom"), ("Ada", "married to", "Tom")]),
    ("father", "en", [("Ada", "child of", "Tom")], [("Tom", "child of", "Ada")], [("Ada", "child of", "Tom")]),
    ("office", "zh", [("程安", "官职", "县令")], [("程安", "官职", "知府")], [("!就任", "程安", "知府"), ("程安", "官职", "知府")]),
    ("side", "en", [("Ivo", "loyal to", "Reds")], [("Ivo", "loyal to", "Blues")], [("!betrays", "Ivo", "Blues"), ("Ivo", "loyal to", "Blues")]),
    ("rank-up", "en", [("Ivo", "military rank", "sergeant")], [("Ivo", "military rank", "captain")], [("!promotion", "Ivo", "captain"), ("Ivo", "military rank", "captain")]),
    ("name-typo", "zh", [("E3", "姓名", "周闻道")], [("E3", "姓名", "周问道")], [("E3", "姓名", "周闻道")]),
    ("alias", "en", [("E4", "name", "Nell Brandt")], [("E4", "known as", "Red Nell")], [("!nickname", "E4", "Red Nell"), ("E4", "known as", "Red Nell")]),
    # knowing
    ("unaware", "en", [("Su", "does not know", "the heir is a girl")], [("Su", "mentions", "the heir is a girl")], [("!overhears", "Su", "the heir is a girl"), ("Su", "mentions", "the heir is a girl")]),
    ("unaware-zh", "zh", [("苏眉", "不知道", "粮仓是空的")], [("苏眉", "说破", "粮仓是空的")], [("!偷听", "苏眉", "粮仓是空的"), ("苏眉", "说破", "粮仓是空的")]),
    ("others-know", "en", [("Tom", "knows", "where the key is")], [("Su", "acts on", "where the key is")], [("!told", "Su", "where the key is"), ("Su", "acts on", "where the key is")]),
    ("secret-early", "en", [("secret S1", "reader_knows_from", "60"), ("secret S1", "known_by", "Tom")], [("Tom", "reveals", "secret S1")], [("Tom", "acts", "says nothing")]),
    ("secret-who", "en", [("secret S1", "reader_knows_from", "5"), ("secret S1", "known_by", "Tom")], [("Su", "reveals", "secret S1")], [("Tom", "reveals", "secret S1")]),
    # rules, time, promises, manner
    ("no-iron", "en", [("world", "rule", "no swords inside the temple")], [("Ivo", "draws", "sword", "narrated", "inside the temple")], [("Ivo", "draws", "sword", "narrated", "on the road")]),
    ("no-flight", "zh", [("世界", "规则", "城内不得飞行")], [("方白", "御剑", "飞行", "narrated", "城内")], [("!特许", "世界", "大典"), ("方白", "御剑", "飞行", "narrated", "城内")]),
    ("day-back", "en", [("book", "day", "12")], [("book", "day", "9")], [("book", "day", "13")]),
    ("hook-closed", "en", [("hook H1", "status", "resolved")], [("hook H1", "status", "open")], [("hook H1", "status", "open", "rumour")]),
    ("hook-waits", "en", [("hook H2", "depends_on", "hook H1"), ("hook H1", "status", "open")], [("hook H2", "resolved", "yes")], [("!resolve", "hook H1", None), ("hook H2", "resolved", "yes")]),
    ("hook-late", "zh", [("伏笔甲", "期限", "20"), ("伏笔甲", "状态", "open")], [], [("!推进", "伏笔甲", None)]),
    ("tense", "en", [("book", "tense", "past")], [("chapter", "tense", "present")], [("chapter", "tense", "present", "letter")]),
    ("season", "en", [("valley", "season", "winter")], [("valley", "season", "summer")], [("!thaw", "valley", None), ("valley", "season", "summer")]),
    # words that no registry has
    ("unknown-trait", "en", [("Ivo", "favourite tune", "the miller's reel")], [("Ivo", "favourite tune", "a hymn")], [("Ivo", "favourite tune", "the miller's reel")]),
    ("unknown-state", "zh", [("石门", "朝向", "东")], [("石门", "朝向", "西")], [("石门", "朝向", "东")]),
    ("unknown-event", "en", [("ferry", "captain of record", "Tom")], [("ferry", "captain of record", "Su")], [("!mutiny", "ferry", "Su"), ("ferry", "captain of record", "Su")]),
    ("oath", "zh", [("程安", "配偶", "阿宁")], [("程安", "配偶", "苏眉")], [("程安", "配偶", "苏眉", "rumour")]),
    # further kinds: what is said of a thing's absence, of who may, of whom one meets, of ways and companions
    ("level", "zh", [("林川", "等级数", "12")], [("林川", "等级数", "9")], [("!升级", "林川", "13"), ("林川", "等级数", "13")]),
    ("tally", "en", [("Kai", "kill count", "14")], [("Kai", "kill count", "11")], [("!kill", "Kai", "2"), ("Kai", "kill count", "16")]),
    ("stones-measure", "zh", [("林川", "灵石", "五十块")], [("林川", "花费", "八十块灵石")], [("!获得", "林川", "四十块灵石"), ("林川", "花费", "八十块灵石")]),
    ("debt-words", "zh", [("程安", "欠", "三百两")], [("程安", "欠", "一百两")], [("!还债", "程安", "二百两"), ("程安", "欠", "一百两")]),
    ("learns-skill", "en", [("Mira", "lacks_skill", "swimming")], [("Mira", "performs", "swimming")], [("!training", "Mira", "swimming"), ("Mira", "performs", "swimming")]),
    ("door-locked", "en", [("cellar door", "state", "locked")], [("Tom", "enters", "cellar door")], [("!unlock", "cellar door", None), ("Tom", "enters", "cellar door")]),
    ("poison-gone", "zh", [("程安", "中毒", "蛇毒")], [("程安", "中毒", "无")], [("!解毒", "程安", "蛇毒"), ("程安", "中毒", "无")]),
    ("hand-lost", "en", [("Rook", "right hand", "missing")], [("Rook", "acts", "draws with his right hand")], [("Rook", "acts", "draws with his left hand")]),
    ("arm-lost", "zh", [("老周", "左臂", "断")], [("老周", "行动", "左臂挥刀")], [("老周", "行动", "右臂挥刀")]),
    ("meets-apart", "en", [("Ana", "location", "mill"), ("Ivo", "location", "castle")], [("Ana", "talks to", "Ivo")], [("!travel", "Ana", "castle"), ("Ana", "talks to", "Ivo")]),
    ("meets-inside", "zh", [("阿宁", "位置", "码头"), ("程安", "位置", "王城")], [("阿宁", "会面", "程安")], [("!赶路", "程安", "码头"), ("阿宁", "会面", "程安")]),
    ("road", "en", [("road Harbor to Citadel", "takes", "3 days"), ("Mira", "location", "Harbor")],
     [("!travel", "Mira", "Citadel"), ("Mira", "location", "Citadel", "narrated", "same evening")],
     [("!travel", "Mira", "Citadel"), ("Mira", "location", "Citadel", "narrated", "on the fourth day")]),
    ("company", "en", [("Ana", "location", "mill"), ("Ivo", "location", "port")], [("!travel", "Ivo", "castle"), ("Ana", "location", "castle")], [("!travel", "Ivo", "castle"), ("!travel", "Ana", "castle"), ("Ana", "location", "castle")]),
    ("permission", "en", [("academy", "rule", "students may not leave campus after dark")], [("Kai", "leaves", "campus", "narrated", "midnight")], [("!permission", "academy", "leave pass"), ("Kai", "leaves", "campus", "narrated", "midnight")]),
    ("only-keeper", "en", [("world", "rule", "only the keeper may trim the lamp")], [("Tom", "trims", "the lamp")], [("keeper", "trims", "the lamp")]),
    ("only-zh", "zh", [("世界", "规则", "只有守塔人可以敲响铜钟")], [("阿宁", "敲响", "铜钟")], [("守塔人", "敲响", "铜钟")]),
    ("plain-ban-zh", "zh", [("宗门", "规矩", "弟子不得私自下山")], [("阿宁", "下山", "私自下山")], [("!破例", "宗门", "掌门特许"), ("阿宁", "下山", "私自下山")]),
    ("alias-fact", "en", [("E5", "alias", "The Heron"), ("E5", "name", "Jo Marsh")], [("E5", "name", "The Hern")], [("E5", "name", "The Heron")]),
    ("hook-again", "en", [("hook H7", "status", "resolved")], [("!reopen", "hook H7", None)], [("hook H7", "status", "open", "rumour")]),
]  # fmt: skip


def cases(pairs: list[Pair] = PAIRS) -> list[dict[str, Any]]:
    """The pairs in the form of labelled cases."""
    made = []
    for family, language, facts, bad, clean in pairs:
        for label, side in (("contradiction", bad), ("ok", clean)):
            made.append(
                {
                    "id": f"{family}-{label}",
                    "family": family,
                    "lang": language,
                    "label": label,
                    "chapter": 40,
                    "facts": [
                        {"subject": s, "predicate": p, "object": o, "valid_from": 10, "valid_to": None}
                        for s, p, o in facts
                    ],
                    "events": [
                        {"type": row[0][1:], "subject": row[1], "object": row[2], "chapter": 40}
                        for row in side
                        if row[0].startswith("!")
                    ],
                    "observations": [_shown(row) for row in side if not row[0].startswith("!")],
                    "quote": "shown words" if language == "en" else "正文原句",
                    "fact_quote": "known words",
                }
            )
    return made


def _shown(row: Row) -> dict[str, Any]:
    subject, predicate, value, *rest = row
    mode = rest[0] if rest else "narrated"
    at = rest[1] if len(rest) > 1 else None
    return {"subject": subject, "predicate": predicate, "object": value, "mode": mode, "at": at}
