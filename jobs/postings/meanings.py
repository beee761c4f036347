"""The words of keys by what they mean: a table that grows with every new language.

A line is a meaning and the words that carry it, without accents.  The meaning is itself one.
"""

from typing import Final

TABLE: Final = """
about: acerca sobre ueber uber propos
added: dodano agregado adicionado hinzugefugt ajoute
age:
alpha:
amount: monto importe betrag montant kwota valor amt summe suma сумма
and: y e et und i
assignments: assignment asgs
attrs: attributes attribute
average: avg mean promedio media durchschnitt moyenne srednia moy
budget: budjet anggaran rozpocet butce 预算 予算 예산 بودجه бюджету
 orcamento presupuesto budzet бюджет ميزانية الميزانية budgets
category: categories categoria kategorie categorie kategoria
cents: cent centavos pence grosze minor centimes
ciphertext: cipher
client: author committente opdrachtgever klant заказчику замовник クライアント 客户 雇主
 buyer employer customer hirer cliente clientes kunde kunden auftraggeber acheteur klient
 klienta zleceniodawca zleceniodawcy contratante comprador empleador empregador arbeitgeber
 employeur donneur заказчик заказчика клиент العميل organization organisation owner company
 empresa firma unternehmen
code: codigo kod codes
compensation: remuneration remuneracion remuneracao verguetung vergutung honorar wynagrodzenie
content: contenido conteudo inhalt contenu tresc
contract: contrato vertrag contrat umowa umowy
contractor:
count: cnt anzahl ilosc liczba cantidad quantidade nombre quantite number numero num nr no 수
 عدد تعداد 数
country: paese land kraj ulke 国家 国 국가 країна البلد بلد کشور país 국가
 pais land pays kraj страна دولة الدولة nation countries
created: creation create creado criado creacion criacao erstellt cree utworzono ctime
currency: moneda moeda wahrung waehrung devise waluta валюта عملة العملة
date: fecha datum dates дата تاريخ التاريخ tarih tarihi tanggal
day: days dias tage jours dni
description: beskrivning deskripsi popis aciklama omschrijving 描述 説明 설명
 опис توضیحات توضيحات شرح التفاصيل brief
 descripcion descricao beschreibung descrizione opis описание الوصف وصف desc
 beschreibungs descriptif tatigkeit
details: detail detalles detalhes einzelheiten szczegoly
duration: durata duur sure termin термін مهلت срок сроки 工期 期間
 looptijd 기간 durasi varaktighet doba
 duracion duracao dauer duree length laufzeit timeline timeframe prazo plazo delai المدة
 مدة trwania durations zeitraum срок
engagement:
estimated: est estimate estimado geschatzt geschatzte estime szacowany approx approximate
excerpt:
execution: التنفيذ
experience: experiencia erfahrung doswiadczenie doswiadczenia erfahrungs опыт الخبرة expertise exp
feedback: feedbacks
fixed: fijo fixo fixe fest fester forfait stala stale pauschal fijos fixa
fixedprice: festpreis
freelancer: freelancers talent worker
full: voll completa completo
headline: uberschrift
hire: hires hiring contrataciones contratacoes einstellungen embauches zatrudnien recruited
 hired التوظيف
 contratacion contratacao contratados einstellungs embauche zatrudnienia
hour: hora stunde heure godzina godzine godz std hr час
hours: hrs horas stunden heures godziny
hourly: horaire godzinowa godzinowy horario stundlich
hourlyrate: uurtarief timpris stundensatz stundenlohn
id: uid uuid identifier identificador kennung identifiant ids pk
is: ist est
iso:
job: posting posts post project gig opening projet projekt projeto proyecto trabajo trabalho
 opdracht uppdrag lowongan
 proj proyek
 auftrag auftrags annonce zlecenie oferta offer vacancy vacante vaga listing opportunity task
 projektu zlecenia mission stelle emploi praca проект задание المشروع مشروع encargo projekts
jobs: projects projekte projets proyectos projetos postings openings gigs listings auftrage
level: tier nivel niveau stufe poziom уровень المستوى lvl
location: ubicacion localizacao standort ort lieu lokalizacja place localisation localidad
 locatie plats lokasi lokalita
 loc luogo einsatzort arbeitsort lugar الموقع konum lokasi местонахождение
 местоположение address adresse
marketplace: market platform plattform plateforme plataforma platforma portal site website source
 provider quelle fuente fonte zrodlo
max: maximum maximo maximal upper high bis hasta ate highest ceiling maximale maks to
message:
method: metodo methode metoda methods
min: minimum minimo minimal lower low von od desde lowest floor minimale from ab mindest
minute: minutes mins minuten minutos
ms: millis milliseconds
must:
month: months meses monate mois miesiace
name: nombre nome nazwa имя اسم
normalized: absolute exact
normalised:
pay: paga
payment: pago pagamento zahlung paiement platnosc zahlungs platnosci payments billing بالدفع pmt
percent: percentage pct prozent porcentaje porcentagem pourcentage procent
posted: النشر نشر pubblicato geplaatst publicerad 发布 опубліковано
 등록일 geplaatst yayinlanma inlagd diterbitkan publicat
 발행 発行 発布日 发布时间 发布日期 掲載日 投稿日 опублікований опубликован publiziert
 publicada publicado veroffentlicht publie publiee opublikowano pub listed veroffentlichung
 veroffentlichungs publicacion publicacao publikacji publication eingestellt posten опубликовано
 publikowano submitted submit inserted inserat
period: interval basis per
preview:
price: precio preco preis prix cena cost tarification koszt costo custo coste цена السعر سعر fee
published: publish
proposals: proposte offerte teklif 投标 応募
 candidates cand 지원자 teklifler reacties sollicitaties ansokningar tilbud penawaran
 quotes kwork 投标人数 応募者数 応募数 ставок ставки заявки заявок відгуків відповідей откликов
 respuestas
 proposal applicants applicant applications application bids bid offers propuestas
 propostas vorschlage gebote bewerbungen bewerber angebote candidatures candidats propositions
 offres oferty ofert ofertas candidatos aplicaciones отклики العروض عروض gebot zgloszenia
 candidaturas lances
range: rango faixa spanne fourchette zakres plage
rate: tarifa taux satz stawka tarif taxa ставка quote tasa cuota معدل نسبة
rating: ratings calificacion valoracion avaliacao bewertung note evaluation ocena рейтинг التقييم
 評価 评分 voto punteggio ocenka оценка
 reputation bewertungs notation
received: recibidas recibidos recebidas recebidos erhalten erhaltene otrzymane recues recu
 ricevute
recno:
reference: ref referenz
relative:
requirements: anforderungen requisitos exigences wymagania
role: rolle puesto poste stanowisko position functie functietitel
salary: salario gehalt salaire pensja
reviews: review resenas avis
score: puntuacion pontuacao
short: kurz corto curta krotki breve
skill: competenze vaardigheden beceriler 技能 スキル 기술 مهارت
 competence skillset kompetenser keahlian
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
total: gesamt insgesamt totals lacznie łacznie overall lifetime sum tot
type: tipo typ art kind model тип نوع types modalidad modalite rodzaj mode modalidade
unit: unidad unidade einheit unite jednostka
url: link href permalink uri enlace lien adres webadresse links urls ссылка رابط الرابط hyperlink
value: wert valeur wartosc
verified: verification verificado verificada verifiziert verifie verifiee zweryfikowany
 zweryfikowana zweryfikowano verificacion verificacao verifizierung verifizierte
week: weeks semanas wochen semaines tygodnie
"""
