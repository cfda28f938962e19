"""Words that name nothing: articles, pronouns, auxiliaries, conjunctions and units of thirteen languages."""

from typing import Final

_TEXT: Final = """
ms min euro eur kg mbit one two first then there their them his her him its who whom whose which what
when where how why while because since so such same other own each both some more most less few still
yet already again also even just here now than too very much many does did doing done get got let make
made want need about into over out off under between during against sich es er sie ihr ihm ihn ihre
ihren dass daß ob wenn weil wie was wer wo man mir mich uns euch dies diese dieser dieses jede jeder
jedes alle noch schon auch mal mehr sehr dann dort hier aber denn durch gegen um bis wird wurde wurden
worden habe hat hatte haben kann können soll sollen will wollen gilt bleibt bleiben par faut sa son ses
leur leurs lui cela ça ceci cette cet ces qui quoi dont où quand comme si mais donc car plus moins très
tout toute tous toutes encore déjà aussi bien fait faire fut ont ai as avons peut peux sera été entre
chez vers après avant del al lo su sus mi tu le les me te nos os este esta esto estos ese esa eso quien
cual cuando donde como pero más menos muy todo toda todos ya aún también hay ha han he sido ser está
están fue hasta desde sobre hacia ni ao aos à às pelo pela pelos num numa ele ela eles elas seu sua seus
suas meu minha isto isso essa esse quem qual quando onde mas muito já ainda também há foi estão até nem
vai il gli i dal dalla dello della delle degli dei nel nella nelle sul sulla quello quella quelli quelle
questo questa questi che chi cui dove come se ma più meno molto tutto tutta tutti già ancora anche hanno
ho è stato stata state sono fu fra tra ogni он она оно они его её ее их ему ей им тебя тебе что кто как
где когда если но или то так же уже ещё еще все всё был была были будет есть при над под от до об о у
celle celles celui ceux aquel aquella aquele aquela jene jener diejenigen
van het een zijn hun haar ons onze uw dit dat deze die toen daar wel nog maar bij uit naar voor met
aan wij jij zij hij ik er om te tot als dan werd hebben heeft hebt moet wordt worden zich
się jest są był była było były będzie oraz lub albo ten ta te tego tej tych jego jej ich dla przez przy
już tylko też jak ale czy że po od za jako który która które nad pod
och att det som på av med för till är den inte ett har från jag vi ni du han hon dem deras sig denna
detta dessa eller när hos og af til fra ikke jeg hun der deres sig efter blev bliver
ve bir bu şu ile için ki daha çok gibi kadar ama veya ya her olan olarak biz siz onlar ben sen
"""
SMALL_WORDS: Final = frozenset(_TEXT.split())
