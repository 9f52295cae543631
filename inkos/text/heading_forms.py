"""The patterns and word lists that headings.py reads lines by; knows no lines.

Written after the conventions of Chinese web novels, reader programs and English print. All patterns are for lines
translated by `PLAIN`: simplified characters, half width, straight apostrophes.
"""

from __future__ import annotations

import re

from inkos.text.characters import HAN
from inkos.text.numerals import EN_NUMBER_WORDS
from inkos.text.variants import SIMPLIFIED, TRADITIONAL

LONGEST = 100
LONGEST_ZH_TITLE = 40

# One character for one, so that a title can be cut from the line as it was written.
PLAIN: dict[int, int] = {
    **dict(zip(map(ord, TRADITIONAL), map(ord, SIMPLIFIED), strict=True)),
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **{0x3000: 0x20, 0xA0: 0x20, ord("’"): ord("'")},
}

DECORATION = " \t#*=~_☆★◆◇●○■□▲△※◎§†"
BRACKETS = {"【": "】", "《": "》", "[": "]", "〖": "〗", "〔": "〕", "<": ">", "〈": "〉"}
WRAPPED = {"「": "」", "『": "』", "《": "》", "【": "】", "“": "”", '"': '"', "‘": "’"}
LEAD = re.compile(r"[☆★]\s*、|(?P<markdown>#{1,6})\s*(?=\S)")
THIRDS = {"上": 1, "中": 2, "下": 3}

_HAN_NUMBER = r"[零〇○一二两三四五六七八九十百千万廿卅卌壹贰弍叁参肆伍陆柒捌玖拾佰仟]{1,10}"
_N = rf"(?:\d{{1,5}}(?:\.\d{{1,2}})?|{_HAN_NUMBER})"
_UNIT = "[章回节话篇集幕折]"
_SEP = r"(?P<sep>[\s:·・.、—–_|/-]+|(?=[(《「『【“\"])|$)"
_CHAPTER_AHEAD = rf"(?=第\s*{_N}\s*{_UNIT})"

_LEADING = r"(?:(?:正文卷?|VIP章?[卷节]?)[\s:·]+)?"
ZH_CHAPTER = re.compile(rf"{_LEADING}第\s*(?P<n>{_N})\s*(?P<unit>{_UNIT}){_SEP}?(?P<rest>.*)")
ZH_BARE_CHAPTER = re.compile(rf"(?P<n>{_N})\s*(?P<unit>[章回]){_SEP}(?P<rest>.*)")
_VOLUME = rf"(?:第\s*(?P<v1>{_N})\s*(?P<unit>部分(?=[\s:]|$)|[卷部册季])|卷\s*(?P<v2>{_N})|(?P<third>[上中下])[卷部册])"
ZH_VOLUME = re.compile(rf"{_VOLUME}{_SEP}?(?P<rest>.*)")
ZH_IN_VOLUME = re.compile(rf"{_VOLUME}[\s:·・.、—–-]*[^,。!?]{{0,20}}?[\s:·・.、—–-]*{_CHAPTER_AHEAD}")
ZH_AFTER_TITLE = re.compile(rf"[{HAN}]{{2,12}}\s+{_CHAPTER_AHEAD}")
ZH_SPECIAL_CHAPTER = re.compile(rf"(?P<word>番外篇?|外传|外篇|特别篇|前传)[\s:·・—–-]*{_CHAPTER_AHEAD}")

# Units that a title may follow without a blank, and the characters that would make another word of the unit:
# 第三回合, 第一节课, 第二集团军, 第二卷宗. After 部, 册, 季 (第三部手机) a separator must stand.
COMPOUNDS = {
    "章": "程", "回": "合来去到见头家想", "节": "课车目拍点骨日奏", "话": "剧说音题筒", "篇": "文章小稿论报日作",
    "集": "团市合体中装训资", "幕": "后布僚府", "折": "扣磨腾叠断子", "卷": "宗轴尺发纸胶烟书子起入走",
}  # fmt: skip
# A sentence goes on like this after “第三章”, or has such marks; a title without a separator does and has not.
ZH_SENTENCE = re.compile(
    r"^(?:[的了里中是就也还都才却被把他她我你它这那]|[之以][前后]|[讲写说][的到了]|开头|末尾|最后)|[,。!?;:…“”\"]"
)
END_MARK = re.compile(
    r"[(]?(?:正文|本[章卷书]|全[书文])?(?:完结?|终|结束|未完待续|待续|(?:the )?end)[)]?[.。!]?", re.IGNORECASE
)
SENTENCE_END = re.compile(r"[。;,…]$|[^.A-Z]\.$")

ZH_SPECIAL = re.compile(
    r"(?P<word>楔子|引子|引言|导言|序章|序幕|序言|序曲|自序|代序|前言|前传|开篇|序|尾声|终章|终曲|末章|最终章|大结局|结局|后记|后序|跋|结语|"
    r"附录|番外篇?|外传|外篇|特别篇|间章|幕间|插曲|题记|完本感言|完结感言|后日谈|プロローグ|エピローグ|あとがき|まえがき)"
    rf"\s*之?(?P<n>{_N}(?=[\s:·.、—–-]|$))?(?:[\s:·・、—–_|/-]+(?P<rest>.+))?"
)
NOTICE = re.compile(
    r"(?:(?:[今明][天日])?请假(?:条|一天|两天|通知|公告|说明)?|(?:本书|小说|作品|内容|故事)?(?:简介|梗概|文案)|内容提要|"
    r"(?:更新|上架|停更|断更|完结|重要|入V|开书|新书)?(?:公告|通知|通告)|(?:上架|新书)感言|作者(?:的话|有话(?:要)?说|按|简介)|"
    r"目录|版权(?:页|信息|声明)?|致读者|致谢|单章|推书|(?:更新|情况|修改)说明|求(?:月票|推荐票?|收藏|订阅)|"
    r"author'?s?'? notes?|a/n|acknowledge?ments?|dedication|copyright(?: page| notice)?|(?:table of )?contents|"
    r"about the author|announcements?|hiatus(?: notice)?|also by .{1,40})[\s:!.。]*",
    re.IGNORECASE,
)

_WORDS = "|".join(sorted(EN_NUMBER_WORDS, key=len, reverse=True))
_EN_N = rf"(?P<n>\d{{1,4}}(?:\.\d{{1,2}})?(?!\w)|[IVXLC]+(?!['\w])|(?:the )?(?:{_WORDS})(?:[ -](?:{_WORDS}))*(?!\w))"
_EN_SEP = r"(?P<sep>\s*[:.,—–|-]+\s*|\s*(?=[(“\"])|\s+|$)"
_EN_NUMBERED = rf"\s+(?:no\.\s*|#)?{_EN_N}{_EN_SEP}(?P<rest>.*)"
EN_CHAPTER = re.compile(rf"(?P<word>chapter|chap\.|ch\.?|episode|ep\.|stave|canto){_EN_NUMBERED}", re.IGNORECASE)
EN_VOLUME = re.compile(rf"(?P<word>volume|vol\.|part|book|act|season|arc){_EN_NUMBERED}", re.IGNORECASE)
EN_SPECIAL = re.compile(
    r"(?P<word>prologue|epilogue|interlude|intermission|foreword|preface|introduction|afterword|postscript|coda|appendix|"
    r"prelude|(?:side|bonus|extra|special) (?:story|chapter))(?:\s+(?P<n>\d{1,3}|[IVXL]+))?"
    r"(?:\s*[:.—–-]+\s*(?P<rest>.+))?",
    re.IGNORECASE,
)

LISTED = re.compile(rf"(?P<n>\d{{1,4}}|{_HAN_NUMBER})(?P<sep>\s*[.、:)]\s*|\s+[—–-]\s+|\s+)(?P<rest>\S.*)")
ROMAN_LISTED = re.compile(r"(?P<n>[IVX]|[IVXLC]{2,})(?P<sep>[.:)]\s*|\s[—–-]\s+)(?P<rest>\S.*)")
BARE = re.compile(rf"[(]?(?P<n>{_N})[)]?[.、]?")
BOOK_AND_NUMBER = re.compile(rf"[{HAN}A-Za-z0-9]{{2,20}}\s*[(](?P<n>\d{{1,4}})[)]")
# Sentence marks, and a figure or numeral at the front: scores, times, countdowns.
NO_LISTED_TITLE = re.compile(rf"[,。!?;…“”\"]|^(?:\d|{_HAN_NUMBER}[、.,])")
# What a figure counts is no title: 12 岁那年.
MEASURE = re.compile(r"[岁年月日天个人次点分秒块元米里斤两只条多余几时号楼层件位名本张把度万亿倍%]")

PART = re.compile(rf"\s*[(](?:(?:Part|pt\.?)\s*)?(?P<n>{_N}|[上中下]|[IVX]+)[)]\s*$", re.IGNORECASE)
REMARK = re.compile(
    r"\s*[(【\[](?=[^)】\]]*(?:更|求|票|订阅|收藏|推荐|打赏|盟主|感谢|大章|上架|首发|[\d千万]字|[已小]修|^修改?$))[^)】\]]*[)】\]]\s*$"
)
