"""What the seeded story says, in both languages: names, sentences and the details that a later chapter needs again."""

from __future__ import annotations

from typing import NamedTuple

from inkos.messages import Language


class Tongue(NamedTuple):
    """Sentences with `{}` fields; `cast`, `places`, `things` are there from the beginning, the others are made as the
    book grows. `words` are what plain sentences are made of; `joined` stands between them."""

    cast: list[str]
    places: list[str]
    things: list[str]
    first: list[str]
    last: list[str]
    looks: list[str]
    goods: list[str]
    spots: list[str]
    acts: list[str]
    words: list[str]
    each: int
    joined: str
    stop: str
    letters: str
    says: dict[str, str]
    wants: list[str]


def _words(text: str) -> list[str]:
    return text.split()


_EN = {
    "home": "{name} lives at the {place} and has 500 coins.", "kept": "{thing} is kept by {name}",
    "out": "{a} set out in the morning for the {place}.", "coins": "{a} counted {n} coins, once and again.",
    "gave": "{thing} went to {a} at last.", "read": "{a} read the letter of {new} to the end.",
    "known": "what {new} wrote in the letter", "came": "A stranger called {new} came in.",
    "room": "{new} had a room there.", "role": "keeps the {spot} shut at night", "charge":
    "It was {new} who kept the {spot} shut at night.", "trait": "a scar from the {good} on the left hand",
    "scar": "On the left hand {new} had a scar from the {good}.",
    "there": "{a} stood there by noon with {new}.", "left": "{n} coins were left to {a}, and no more.",
    "uses": "{a} put {thing} to use.", "speaks": "{a} spoke up about {new}.",
    "moved": "Something moved about the letter of {new}.", "paid": "The letter of {new} was settled.",
    "core": "Who wrote {new}'s letter, and to whom?", "asked": "Nobody knew who had written {new}'s letter; only the "
    "{look} {good} under the {spot} could tell.",
    "day": "It was day {n}.", "made": "the {look} {good}", "hid": "{a} {act} the {look} {good} beneath the {spot}.",
    "mark": "In {thing} somebody had scratched the number {n} and a heron.",
    "house": "At the {place} every stair but the {n}th was rotten.",
    "town": "the {spot} of {new}", "title": "The letter of {new}", "summary": "{a} looks for the letter of {new} and "
    "finds the {look} {good}.", "alias": "the {look} porter of {last}",
    "law": "Whoever carries a {look} {good} past the {spot} pays a toll.",
    "shout": "They called {new} {alias} in the street.",
}  # fmt: skip
_ZH = {
    "home": "{name}住在{place}，手里有500文钱。", "kept": "{thing}由{name}收着",
    "out": "{a}一早动身去了{place}。", "coins": "{a}把{n}文钱数了一遍又一遍。", "gave": "{thing}到底落到了{a}手里。",
    "read": "{a}把{new}的信从头读到尾。", "known": "{new}在信里写的事", "came": "一个叫{new}的生人走了进来。",
    "room": "{new}在那里赁了间屋。", "role": "夜里替人看着{spot}", "charge": "{spot}夜里一向是{new}看着。",
    "trait": "左手上有{good}烫的疤", "scar": "{new}左手上有一道{good}烫的疤。", "there": "晌午{a}和{new}已站在那里。",
    "left": "{a}身上只剩{n}文。", "uses": "{a}用上了{thing}。", "speaks": "{a}说起了{new}。",
    "moved": "{new}那封信有了动静。", "paid": "{new}那封信的事了结了。", "core": "{new}的信是谁写的，写给谁？",
    "asked": "谁也不知道{new}的信是谁写的，只有{spot}下那只{look}{good}说得清。", "day": "这是第{n}日。",
    "made": "{look}{good}", "hid": "{a}把{look}{good}{act}在{spot}底下。",
    "mark": "{thing}背面有人刻了{n}和一只白鹭。", "house": "{place}的楼梯除了第{n}级全朽了。",
    "town": "{new}家{spot}", "title": "{new}的信", "summary": "{a}去找{new}的信，找到了{look}{good}。",
    "law": "带着{look}{good}过{spot}的人都要交一份钱。", "alias": "{last}{look}脚夫",
    "shout": "街上的人都管{new}叫{alias}。",
}  # fmt: skip

TONGUES: dict[Language, Tongue] = {
    "en": Tongue(
        cast=[f"{a} {b}" for a, b in zip(
            _words("Ada Bram Cora Dov Edda Finn Greta Hugo Ines Joss Karel Lena"),
            _words("Pell Askew Lund Varga Finch Brill Harrow Moss Tarn Quill Stone Reed"), strict=True)],
        places=[f"{k} of {n}" for k in ("quay", "mill", "yard", "gate") for n in ("Aune", "Brae", "Colm", "Drin")],
        things=[f"the {a} {b}" for a in ("iron", "wax", "blue", "old") for b in ("key", "seal", "coat", "book")],
        first=_words("""
        Abel Agna Alder Amos Anselm Arlo Basil Beth Boaz Briar Cado Caleb Celia Clem Damon Dinah Dorn Eben
        Eliza Emrys Enid Esther Ezra Fable Felix Flora Gad Gideon Gwen Hale Hanna Hester Hob Ida Ivo Jael
        Jethro Juno Kester Lark Levi Linus Mabel Micah Miriam Nell Noah Odo Olive Orrin Perrin
        """),
        last=_words("""
        Abbot Ansty Barrow Beck Birch Bourne Bracken Cade Carver Chantry Coombe Crane Dale Dyer Elder Fenn
        Fletcher Garrow Gorse Hales Hazel Hollis Inch Jarrow Kemp Lacey Marsh Mercer Nash Orchard Pike Rook
        Rudd Sallow Tamsin Thorn Umber Vale Warden Yarrow
        """),
        looks=_words("""
        amber ashen brazen brindled carved chipped copper crimson dented enamelled faded gilded glazed hollow
        ivory jagged knotted lacquered leaden mottled nickel ochre painted pewter ragged russet scarlet
        silvered speckled striped tarnished velvet walnut woven
        """),
        goods=_words("""
        almanac anvil bellows bottle bracelet brooch casket chalice compass crown dagger drum flute funnel
        goblet hammer harness inkwell kettle ladle lantern locket mirror needle paddle pendant pitcher quiver
        ring saddle scales spindle sundial thimble trowel violin whistle
        """),
        spots=_words("""
        altar arcade attic balcony barn belfry bridge brewery cellar chapel cistern cloister colonnade dairy
        dovecote ferry forge fountain gallery granary hayloft hearth kiln kitchen orchard oven pantry
        pavilion quarry scaffold sluice stable tannery terrace threshold tower tunnel vault well windmill
        """),
        acts=_words("buried hid laid left lowered pushed sank set slid wedged"),
        words=_words("""
        rope salt lamp door rain coin boat wall night hand bread fire road smoke tide bell glass carried
        counted turned waited opened lifted held asked knew watched wrote burned crossed grey narrow late
        cold slow bright heavy quiet wet bare plain broken long small early hard
        """),
        each=10, joined=" ", stop=". ", letters=" ", says=_EN,
        wants=["short sentences", "what people do rather than what they feel", "weather only where it hinders somebody",
               "every scene costs somebody something", "no chapter ends on a thought",
               "talk is never about what it is about"],
    ),
    "zh": Tongue(
        cast=_words("林风 沈舟 顾遥 秦砚 苏荷 陆衡 叶知 韩青 白榆 谢临 温叙 宋茗"),
        places=[a + b for a in ("青石", "柳湾", "白沙", "望江") for b in ("码头", "磨坊", "货栈", "城门")],
        things=[a + b for a in ("生铁", "火漆", "靛蓝", "旧边") for b in ("钥匙", "印章", "长褂", "账簿")],
        first=list("安柏楚岱恩芳耕浩靖宽岚牧念鹏晴仁朔棠望希彦哲庄竹滨澄敦峰桂鸿江康立茂宁"),
        last=list("毕岑丁范葛郝纪孔廖莫倪欧潘邱任邵涂危项严詹章甄祝左卞柴杜樊耿"),
        looks=_words("""
        乌木 缺角 描金 剔红 斑驳 鎏银 素白 双耳 铜胎 藤编 开片 褪色 嵌贝 錾花 包浆 粗陶 绞丝 黑漆 掐丝 泥金
        """),
        goods=_words("""
        罗盘 香炉 短笛 砚台 药匣 银镯 酒壶 梳篦 铜镜 算盘 烟袋 脉枕 经幡 弹弓 算筹 灯台 水瓢 针筒 马鞍 鱼符
        棋枰
        """),
        spots=_words("""
        钟楼 石桥 地窖 祠堂 水闸 染坊 马厩 戏台 井亭 碑廊 砖窑 草仓 渡口 鼓楼 茶寮 米铺 塔基 影壁 藏书阁 柴房
        """),
        acts=_words("埋 藏 压 塞 沉 锁 放 搁"),
        words=_words("""
        绳子 盐袋 灯火 门板 雨水 铜钱 船头 墙根 夜里 手心 馒头 炉火 路口 烟气 潮声 铃声 瓦片 搬着 数过 转身
        等着 推开 提起 握住 问起 晓得 望见 写下 烧掉 走过 灰白 狭窄 迟来 冷清 缓慢 明亮 沉重 安静 潮湿 光秃
        平常 破旧 漫长 细小 早先 坚硬
        """),
        each=8, joined="", stop="。", letters="", says=_ZH,
        wants=["多用短句", "写人做什么，少写人想什么", "天气只在碍着人的时候写", "每一场都要有人付出代价",
               "章末不落在心思上",
               "对话里说的都不是真正要说的事"],
    ),
}  # fmt: skip


def stranger(tongue: Tongue, position: int) -> str:
    """Somebody new of each chapter; no two of 2,000 chapters bear one name."""
    first, last = tongue.first, tongue.last
    if tongue.letters:
        return f"{first[position % len(first)]} {last[position // len(first) % len(last)]}"
    given = first[position % len(first)] + first[position // len(first) // len(last) % len(first)]
    return last[position // len(first) % len(last)] + given
