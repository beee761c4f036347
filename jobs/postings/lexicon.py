"""What the words in sources' keys mean, in the languages marketplaces are written in.

A line is a meaning and the words that carry it, without accents.  The meaning is itself one.
"""

import unicodedata
from functools import lru_cache
from typing import Final

import regex

_TABLE: Final = """
about: acerca sobre ueber uber propos
added: dodano agregado adicionado hinzugefugt ajoute
age:
alpha:
amount: monto importe betrag montant kwota valor amt summe suma сумма
and: y e et und i
assignments: assignment
attrs: attributes attribute
average: avg mean promedio media durchschnitt moyenne srednia
budget: budjet anggaran rozpocet butce 预算 予算 예산
 orcamento presupuesto budzet бюджет ميزانية الميزانية budgets
category: categories categoria kategorie categorie kategoria
cents: cent centavos pence grosze minor centimes
ciphertext: cipher
client: author committente opdrachtgever klant
 buyer employer customer hirer cliente clientes kunde kunden auftraggeber acheteur klient
 klienta zleceniodawca zleceniodawcy contratante comprador empleador empregador arbeitgeber
 employeur donneur заказчик заказчика клиент العميل organization organisation owner company
 empresa firma unternehmen
code: codigo kod codes
compensation: remuneration remuneracion remuneracao verguetung vergutung honorar wynagrodzenie
content: contenido conteudo inhalt contenu tresc
contract: contrato vertrag contrat umowa umowy
contractor:
count: cnt anzahl ilosc liczba cantidad quantidade nombre quantite number numero num nr no
country: paese land kraj ulke 国家 国 국가 країна
 pais land pays kraj страна دولة الدولة nation countries
created: creation create creado criado creacion criacao erstellt cree utworzono ctime
currency: moneda moeda wahrung waehrung devise waluta валюта عملة العملة
date: fecha datum dates дата تاريخ التاريخ
day: days dias tage jours dni
description: beskrivning deskripsi popis aciklama omschrijving 描述 説明 설명
 descripcion descricao beschreibung descrizione opis описание الوصف وصف desc
 beschreibungs descriptif tatigkeit
details: detail detalles detalhes einzelheiten szczegoly
duration: durata duur sure
 duracion duracao dauer duree length laufzeit timeline timeframe prazo plazo delai المدة
 مدة trwania durations zeitraum срок
engagement:
estimated: est estimate estimado geschatzt geschatzte estime szacowany approx approximate
excerpt:
experience: experiencia erfahrung doswiadczenie doswiadczenia erfahrungs опыт الخبرة expertise exp
feedback: feedbacks
fixed: fijo fixo fixe fest fester forfait stala stale pauschal fijos fixa
fixedprice: festpreis
freelancer: freelancers talent worker
full: voll completa completo
headline: uberschrift
hire: hires hiring contrataciones contratacoes einstellungen embauches zatrudnien recruited
 contratacion contratacao contratados einstellungs embauche zatrudnienia
hour: hours hora stunde stunden heure heures godzina godzine godz std hr hrs час
hourly: horaire godzinowa godzinowy horario stundlich
hourlyrate: stundensatz stundenlohn
id: uid uuid identifier identificador kennung identifiant ids pk
is: ist est
iso:
job: posting posts post project gig opening projet projekt projeto proyecto trabajo trabalho
 auftrag auftrags annonce zlecenie oferta offer vacancy vacante vaga listing opportunity task
 projektu zlecenia mission stelle emploi praca проект задание المشروع مشروع encargo projekts
jobs: projects projekte projets proyectos projetos postings openings gigs listings auftrage
level: tier nivel niveau stufe poziom уровень المستوى lvl
location: ubicacion localizacao standort ort lieu lokalizacja place localisation localidad
 местоположение address adresse
marketplace: market platform plattform plateforme plataforma platforma portal site website source
 provider quelle fuente fonte zrodlo
max: maximum maximo maximal upper high bis hasta ate highest ceiling maximale maks to
message:
method: metodo methode metoda methods
min: minimum minimo minimal lower low von od desde lowest floor minimale from ab mindest
minute: minutes mins minuten minutos
ms: millis milliseconds
month: months meses monate mois miesiace
name: nombre nome nazwa имя اسم
normalized: absolute exact
normalised:
pay: paga
payment: pago pagamento zahlung paiement platnosc zahlungs platnosci payments billing بالدفع
percent: percentage pct prozent porcentaje porcentagem pourcentage procent
posted: النشر نشر pubblicato geplaatst publicerad 发布 опубліковано
 publicada publicado veroffentlicht publie publiee opublikowano pub listed veroffentlichung
 veroffentlichungs publicacion publicacao publikacji publication eingestellt posten опубликовано
 publikowano submitted submit inserted inserat
preview:
price: precio preco preis prix cena cost tarification koszt costo custo coste цена السعر سعر fee
published: publish
proposals: proposte offerte teklif 投标
 proposal applicants applicant applications application bids bid offers propuestas
 propostas vorschlage gebote bewerbungen bewerber angebote candidatures candidats propositions
 offres oferty ofert ofertas candidatos aplicaciones отклики العروض عروض gebot zgloszenia
 candidaturas lances
range: rango faixa spanne fourchette zakres plage
rate: tarifa taux satz stawka tarif taxa ставка quote tasa cuota
rating: ratings calificacion valoracion avaliacao bewertung note evaluation ocena рейтинг التقييم
 reputation bewertungs notation
recno:
reference: ref referenz
relative:
requirements: anforderungen requisitos exigences wymagania
salary: salario gehalt salaire pensja
score: puntuacion pontuacao
short: kurz corto curta krotki breve
skill: competenze vaardigheden beceriler 技能 スキル 기술
 skills habilidades competencias competences kenntnisse fahigkeiten fertigkeiten
 umiejetnosci aptitudes навыки المهارات مهارات keywords stack tech technologies technology
 technologie technologien tecnologias kompetenzen aptidoes qualifikationen habilidad
snippet:
spent: spend spending gastado gasto gastos ausgegeben ausgaben depense depenses wydano wydatki
 charges charge gastou depensees
stars: star sterne estrellas estrelas etoiles gwiazdki
stats: stat
status: estado stan etat
subject: betreff asunto assunto objet
summary: resumo resumen zusammenfassung podsumowanie
symbol: sign simbolo symbole
tags: tag etiquetas etiquettes schlagworter schlagworte
text: texto texte tekst
time: zeit tiempo tempo czas heuredate uhrzeit время datetime
timestamp: ts epoch unix
title: titlu judul nazev rubrik baslik naslov 标题 職位 职位 タイトル 제목 назва titolo
 titel titulo titre tytul titolo название заголовок عنوان العنوان intitule bezeichnung
total: gesamt insgesamt totals lacznie łacznie overall lifetime sum
type: tipo typ art kind model тип نوع types modalidad modalite rodzaj mode modalidade
unit: unidad unidade einheit unite jednostka
url: link href permalink uri enlace lien adres webadresse links urls ссылка رابط الرابط hyperlink
value: wert valeur wartosc
verified: verification verificado verificada verifiziert verifie verifiee zweryfikowany
 zweryfikowana zweryfikowano verificacion verificacao verifizierung verifizierte
week: weeks semanas wochen semaines tygodnie
"""

_PART: Final = regex.compile(r"\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+")
_LETTERS: Final = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "ß": "ss", "đ": "d"})
_FILLERS: Final = frozenset(
    "a an the of de do da du del der die das des la le el los o d l w na por per pro en em am in "
    "par pour fur fuer im for us s".split()
)
# Two meanings in one word, and pairs of words that are one meaning.
_DOUBLE: Final = {
    "hourlyrate": ("hourly", "rate"),
    "fixedprice": ("fixed", "price"),
    "normalised": ("normalized",),
}
_SHORTEST: Final = 3  # letters of a word inside a glued one, but for those in _SHORT
_SHORT: Final = frozenset("id is at on ms ts".split())
_LONGEST: Final = 80


def _folded(text: str) -> str:
    """A text in lower case without accents."""
    apart = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(c for c in apart if not unicodedata.combining(c)).casefold()


def _table() -> dict[str, str]:
    meanings: dict[str, str] = {}
    for line in _TABLE.strip().replace("\n ", " ").splitlines():
        meaning, _, words = line.partition(":")
        for word in (meaning, *words.split()):
            meanings.setdefault(_folded(word), meaning)
    return meanings


_MEANINGS: Final = _table()
# Words that mean nothing by themselves but part a glued one.
_MORE: Final = frozenset(
    "data info label display raw string formatted at on air body tile job encoded html ago "
    "seniority expert received activity other with ontology additional required mandatory".split()
)


@lru_cache(maxsize=8192)
def words(key: str) -> tuple[str, ...]:
    """The meanings of a key's words, in their order; words that are not known as they stand.

    `hourlyBudgetMin`, `hourly_budget_min`, "Hourly Budget (min)" and `hourlybudgetmin` are one;
    digits, accents and fillers such as "de" do not count.
    """
    apart = unicodedata.normalize("NFKD", key[:_LONGEST].translate(_LETTERS))
    plain = "".join(c for c in apart if not unicodedata.combining(c))
    found: list[str] = []
    for part in _PART.findall(plain):
        for word in _parted(part.casefold()):
            if word not in _FILLERS:
                meaning = _MEANINGS.get(word, word)
                found += _DOUBLE.get(meaning, (meaning,))
    return tuple(found)


def is_known(word: str) -> bool:
    """Whether a word is a meaning in the table."""
    return word in _MEANINGS


@lru_cache(maxsize=4096)
def plain(key: str) -> str:
    """A key by its letters and digits alone, in lower case."""
    return "".join(filter(str.isalnum, key.casefold()))


def _parted(word: str) -> tuple[str, ...]:
    """A glued word as the known words it is made of, or as it stands."""
    if word in _MEANINGS or word in _MORE or word in _FILLERS or len(word) < 2 * _SHORTEST - 1:
        return (word,)
    return _parts(word) or (word,)


def _parts(word: str) -> tuple[str, ...] | None:
    if not word:
        return ()
    for end in range(len(word), 1, -1):
        head = word[:end]
        known = (head in _MEANINGS or head in _MORE) and (end >= _SHORTEST or head in _SHORT)
        if known and (rest := _parts(word[end:])) is not None:
            return (head, *rest)
    return None
