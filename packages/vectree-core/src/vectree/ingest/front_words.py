"""Words of title pages and section ends: what is no title, no name, no keyword, no matter for a summary."""

from __future__ import annotations

import re

from vectree.normal import match_key

_NO_TITLES = """
article|original article|research article|original research|original paper|research paper
regular article|review|review article|mini review|systematic review|short communication
brief communication|brief report|case report|technical note|technical report|letter|letters|report
reports|perspective|commentary|editorial|opinion|viewpoint|study protocol|protocol|software metapaper
methodology|meta-analysis|open access|open|free|full paper|accepted manuscript|author manuscript
just accepted|preprint|paper|working paper|communication|abstract|summary|contents|table of contents
inhaltsverzeichnis
table des matières|índice|zusammenfassung|résumé|resumen|introduction|references|thesis|thèse|these
dissertation|bachelorarbeit|masterarbeit|diplomarbeit|tesis|tesis doctoral|trabajo fin de máster
trabajo fin de grado|master thesis|bachelor thesis|phd thesis|doctoral thesis|supplementary information
supporting information|supplementary material|supplementary materials|supplemental information
supplemental material|appendix|subject areas|subject category|subject categories
"""
_PARTICLES = """
de da do dos das del della di du la le van von der den ter ten zu zur af al el ben bin ibn bar e y i dit
st san
"""
_BYLINES = """
by|author|authors|autor|autoren|autorin|autores|auteur|auteurs|par|por|von|verfasser|verfasserin
vorgelegt von|eingereicht von|presented by|written by|submitted by|candidate|doktorand|soutenue par
"""
_NO_NAMES = """
the of and in on for with to from by study analysis report review introduction effects effect using
based model models theory scientific assessment national guide handbook program annual system systems
data new science sciences physics chemistry biology engineering medicine health human united states
version contents first second third section figure table chapter part
"""
_DULL = """
study studies paper result results method methods analysis data use used using based new approach effect
effects model models section figure table introduction background discussion conclusion conclusions
references abstract supplementary information materials acknowledgements acknowledgments appendix
contributions availability interests funding statement author authors et al fig significantly however
two three one first second different high low large small number values value show shown found can case
work present provides provide system systems review summary general related experimental setup
evaluation overview limitations contents notes additional
"""
_FUNCTION_WORDS = """
der die das des dem den ein eine einer eines einem einen von und oder mit für im in zum zur zu ist sind wird
werden als auf bei durch nach sich nicht auch wie aus dieser diese dieses le la les de du et en un une pour
par dans sur que qui est sont nous cette ces aux avec el los las del y o una por para con se su sus es son
como al lo da do dos em um uma os com não il gli di che per sono della delle
"""
_BACK_MATTER = """
acknowledgements|acknowledgments|acknowledgement|acknowledgment|author contributions
authors' contributions|credit authorship contribution statement|competing interests|competing interest
conflict of interest|conflicts of interest|declaration of competing interest|declaration of interests
funding|ethics statement|ethics declarations|ethics approval and consent to participate
consent for publication|author details|author information|additional information|publisher's note
open access|rights and permissions|danksagung|remerciements|agradecimientos|agradecimentos|致谢|謝辞
abbreviations|pre-publication history|endnotes
"""


def _keys(titles: str) -> frozenset[str]:
    return frozenset(match_key(title) for title in titles.replace("\n", "|").split("|") if title)


NO_TITLE_KEYS = _keys(_NO_TITLES)
"""Normal forms of labels that stand in large type on a first page and are no titles."""

BACK_MATTER_KEYS = _keys(_BACK_MATTER)
"""Normal forms of titles of sections that say nothing about the work."""

BYLINE_KEYS = _keys(_BYLINES)
"""Normal forms of lines after which the author's name comes."""

PARTICLES = frozenset(_PARTICLES.split())
"""Parts of names that are written small."""

NO_NAMES = frozenset(_NO_NAMES.split())
"""Words that a name does not contain but a title may."""

DULL_WORDS = frozenset(_DULL.split()) | frozenset(_FUNCTION_WORDS.split())
"""Words too common in papers to be keywords."""

ADDRESS = re.compile(
    r"\b(?:universi|institu|departa?m|d[ée]part|dept|laborator|facult|fakult|hospital|divisi|academ|minist|program"
    r"|corporat|foundation|societ|agenc|clinic|correspond|received|accepted|published|copyright|licen[sc]e"
    r"|e-?mail|keywords|abstract|journal)"
    r"|\b(?:school|college|cent(?:er|re)|centro|council|campus|street|road|avenue|research|inc|ltd|gmbh|usa|u\.?k"
    r"|china|germany|france|japan|netherlands|tel|fax|volume|open access|articles?|editors?|pages?|version"
    r"|areas?)\b"
    r"|@|https?:|www\.|©",
    re.IGNORECASE,
)
"""What affiliations, addresses and notices contain and names do not."""

_SERIES = (
    "journal|annals|archives|proceedings|transactions|bulletin|annales|revista|zeitschrift|letters|reports"
    "|magazine"
)
_PUBLISHERS = (
    "nature|science|cell|plos|bmc|ieee|acs|rsc|mdpi|springer|elsevier|wiley|frontiers|nucleic acids research"
)
BANNER = re.compile(
    rf"^(?:the )?(?:[\w&]+ ){{0,3}}(?:{_SERIES})\b"
    r"(?: (?:of|on|for|in|and|&|the|der|de|für|(?-i:[A-Z])[\w&]*),?)*$"
    rf"|^(?:{_PUBLISHERS})(?: (?-i:[A-Z])[\w&]*){{0,4}}$"
    r"|https?://|www\.|@|\bdoi\b|\bissn\b|\bvol(?:ume|\.)\s*\d|contents lists|journal homepage|sciencedirect"
    r"|\bet al\b|previously published works|special publication|technical report\b|\bsp \d{3}-\d"
    r"|all rights reserved"
    r"|^(?:universit|facult|fachbereich|école|ecole|institut|department|departamento|dipartimento|school of"
    r"|doctorat)",
    re.IGNORECASE,
)
"""Journals, publishers, institutions and addresses in large type."""
