"""The word lists behind ``lexicon``: titles in lower case, in the languages science is mostly written in."""

from __future__ import annotations


def _titles(text: str) -> frozenset[str]:
    """Titles separated by bars, over lines."""
    return frozenset(
        title for line in text.split("\n") for piece in line.split("|") if (title := piece.strip())
    )


SECTION_TITLES = _titles(
    """
    abstract|introduction|background|related work|related works|literature review|methods|method
    methodology|materials and methods|material and methods|methods and materials|materials
    patients and methods|subjects and methods|participants|experimental|experimental section
    experimental procedures|experimental methods|experimental details|computational details|theory|model
    results|findings|results and discussion|discussion|general discussion|discussion and conclusion
    discussion and conclusions|conclusion|conclusions|concluding remarks|summary and conclusions|summary
    executive summary|outlook|perspectives|future work|future directions|limitations
    limitations of the study|strengths and limitations|references|bibliography|literature cited
    works cited|references and notes|cited literature|notes and references|acknowledgments
    acknowledgements|acknowledgment|acknowledgement|appendix|appendices|annex|glossary|nomenclature
    abbreviations|list of abbreviations|notation|foreword|preface|dedication|declaration|star methods
    star★methods|online methods|methods summary|significance|significance statement|author summary
    graphical abstract|highlights|key points|key messages|supplemental information
    supplementary information|supplementary material|supplementary materials|supplementary data
    supplemental material|supplemental data|supporting information|supporting information available
    associated content|data availability|data availability statement|availability of data and materials
    data and code availability|code availability|availability|data, materials, and software availability
    data deposition|accession codes|reporting summary|author contributions|authors' contributions
    authors contributions|contributors|author information|author details|authors' information
    credit authorship contribution statement|competing interests|competing interest
    competing interest statement|competing financial interests|conflict of interest
    conflicts of interest|conflict of interest statement|conflict-of-interest|disclosures|disclosure
    declaration of interests|declaration of interest|declaration of competing interest|declarations
    disclosure and competing interests statement|duality of interest|funding|funding statement
    funding information|financial support|financial disclosure|ethics statement|ethics declarations
    ethical considerations|ethics approval|ethics approval and consent to participate
    consent for publication|consent to participate|informed consent|statistical analysis
    statistical analyses|statistics|case report|case presentation|case study|study design
    study population|key resources table|resource availability|method details|lead contact
    quantification and statistical analysis|experimental model and subject details
    additional information|additional file|additional files|extended data|publisher's note
    peer review information|peer review|pre-publication history|footnotes|notes|endnotes
    about the authors|about the author|preliminaries|experiments|evaluation|experimental setup
    experimental results|implementation|trial registration|statement of need|note added in proof
    rights and permissions|zusammenfassung|kurzfassung|einleitung|einführung|grundlagen
    stand der technik|stand der forschung|methodik|methoden|material und methoden|ergebnisse
    ergebnisse und diskussion|diskussion|schlussfolgerung|schlussfolgerungen|fazit|ausblick
    zusammenfassung und ausblick|literatur|literaturverzeichnis|danksagung|anhang|abkürzungsverzeichnis
    eidesstattliche erklärung|selbstständigkeitserklärung|vorwort|hintergrund|résumé
    avant-propos|introduction générale|état de l'art|contexte|méthodes|méthode|méthodologie
    matériel et méthodes|matériels et méthodes|résultats|résultats et discussion|conclusion générale
    conclusion et perspectives|conclusions et perspectives|références|références bibliographiques
    bibliographie|remerciements|annexe|annexes|glossaire|travaux connexes|resumen|introducción
    antecedentes|marco teórico|metodología|métodos|materiales y métodos|material y métodos|resultados
    resultados y discusión|discusión|conclusión|conclusiones|referencias|referencias bibliográficas
    bibliografía|agradecimientos|anexo|anexos|apéndice|objetivos|resumo|introdução|fundamentação teórica
    metodologia|materiais e métodos|material e métodos|resultados e discussão|discussão|conclusão
    conclusões|considerações finais|referências|referências bibliográficas|bibliografia|agradecimentos
    apêndice|sumário|riassunto|sommario|introduzione|materiali e metodi|metodi|risultati
    risultati e discussione|discussione|conclusioni|ringraziamenti|riferimenti bibliografici|appendice
    samenvatting|inleiding|methode|resultaten|discussie|conclusie|conclusies|literatuur|dankwoord
    bijlage|bijlagen|sammanfattning|inledning|bakgrund|metod|resultat|slutsats|slutsatser|referenser
    streszczenie|wstęp|metody|wyniki|dyskusja|wnioski|podziękowania|аннотация|введение|методы|методика
    материалы и методы|результаты|результаты и обсуждение|обсуждение|заключение|выводы|литература
    список литературы|благодарности|приложение|摘要|引言|前言|绪论|背景|相关工作|方法|材料与方法|结果
    结果与讨论|讨论|结论|结语|参考文献|致谢|附录|要旨|概要|はじめに|緒言|緒論|序論|背景と目的|関連研究
    手法|方法と結果|結果と考察|考察|結論|まとめ|おわりに|謝辞|付録|초록|요약|서론|방법|재료 및 방법|결과
    고찰|결론|참고문헌|감사의 글|부록
    """
)
"""Titles that papers, theses and reports are commonly divided by."""

MAIN_TITLES = _titles(
    """
    introduction|background|methods|method|methodology|materials and methods|material and methods
    methods and materials|patients and methods|experimental|experimental section|results|findings
    results and discussion|discussion|conclusion|conclusions|concluding remarks
    discussion and conclusion|related work|experiments|evaluation|einleitung|methoden
    material und methoden|ergebnisse|diskussion|fazit|schlussfolgerung|schlussfolgerungen|méthodes
    matériel et méthodes|résultats|introducción|metodología|métodos|materiales y métodos|resultados
    discusión|conclusiones|introdução|metodologia|resultados e discussão|discussão|conclusões
    introduzione|metodi|risultati|discussione|conclusioni|引言|方法|结果|讨论|结论|はじめに|方法と結果
    結果|考察|結論|서론|방법|결과|고찰|결론
    """
)
"""Titles that divide a paper; their look is the look of its highest level."""

BACK_TITLES = _titles(
    """
    acknowledgments|acknowledgements|acknowledgment|acknowledgement|appendix|appendices
    supplemental information|supplementary information|supplementary material|supplementary materials
    supplementary data|supplemental material|supplemental data|supporting information|associated content
    data availability|data availability statement|availability of data and materials
    data and code availability|code availability|author contributions|authors' contributions
    authors contributions|author information|author details|authors' information
    credit authorship contribution statement|competing interests|competing interest
    competing interest statement|competing financial interests|conflict of interest
    conflicts of interest|conflict of interest statement|disclosures|disclosure|declaration of interests
    declaration of interest|declaration of competing interest|declarations
    disclosure and competing interests statement|funding|funding statement|funding information
    financial support|additional information|additional file|additional files|publisher's note
    peer review information|pre-publication history|footnotes|notes|endnotes|about the authors
    about the author|abbreviations|institutional review board statement|informed consent statement
    danksagung|anhang|remerciements|annexes|agradecimientos|agradecimentos|ringraziamenti|dankwoord|致谢
    谢辞|謝辞|감사의 글|additional information and declarations
    """
)
"""Titles that close a paper; they belong to no section."""

REFERENCE_TITLES = _titles(
    """
    references|bibliography|literature cited|works cited|references and notes|cited literature|reference
    notes and references|literatur|literaturverzeichnis|références|références bibliographiques
    bibliographie|referencias|referencias bibliográficas|bibliografía|referências
    referências bibliográficas|bibliografia|riferimenti bibliografici|literatuur|referenser|литература
    список литературы|参考文献|참고문헌
    """
)
"""Names of the list of references."""

ABSTRACT_TITLES = _titles(
    """
    abstract|summary|executive summary|zusammenfassung|kurzfassung|résumé|resumen|resumo|riassunto
    sommario|samenvatting|sammanfattning|streszczenie|аннотация|摘要|要旨|概要|초록|요약
    """
)
"""Names of an abstract."""

CONTENTS_TITLES = _titles(
    """
    contents|table of contents|list of figures|list of tables|overview of contents|inhalt|übersicht
    inhaltsübersicht|inhaltsverzeichnis|abbildungsverzeichnis|tabellenverzeichnis|table des matières
    table des figures|liste des figures|liste des tableaux|índice|índice general|índice de figuras
    índice de tablas|contenido|sumário|lista de figuras|lista de tabelas|indice|inhoudsopgave|inhoud
    innehåll|spis treści|оглавление|содержание|目录|目次|차례|목차
    """
)
"""Names of contents lists and of lists of figures and tables."""

ABSTRACT_PARTS = _titles(
    """
    background|introduction|objective|objectives|aim|aims|aims/hypothesis|purpose|hypothesis|rationale
    context|importance|methods|method|methods/design|methods and results|materials and methods
    patients and methods|design|study design|setting|participants|patients|interventions|intervention
    main outcome measures|measurements|outcome measures|main outcomes and measures|results|findings
    principal findings|methods and findings|methodology/principal findings|main results|conclusion
    conclusions|conclusions/interpretation|interpretation|conclusions/significance
    conclusions and relevance|discussion|significance|limitations|trial registration|registration
    hintergrund|zielsetzung|fragestellung|methode|methoden|ergebnis|ergebnisse|schlussfolgerung
    schlussfolgerungen|fazit|contexte|objectif|objectifs|méthode|méthodes|résultats|antecedentes
    objetivo|objetivos|métodos|resultados|conclusiones|conclusión|introdução|conclusões|conclusão|scopo
    metodi|risultati|conclusioni|目的|方法|结果|结论|背景
    """
)
"""What a structured abstract is divided into; headings only where several stand in one abstract."""
