"""Invented shapes, as actors, extensions, exports and feeds write them, and what each says.

A shape is a file's name, its content and, for each row, the fields that are stated: all others
are not.  Looked at on Wednesday, 25 November 2026, at noon, UTC.
"""

import json
from typing import Any

ID = "upwork:1990000000000000123"
URL = "https://www.upwork.com/jobs/~021990000000000000123"
UPWORK = {"id": ID, "url": URL}
CODE = "~021990000000000000123"

SHAPES: dict[str, tuple[str, Any, list[dict[str, Any]]]] = {}


def shape(name: str, content: Any, *expected: dict[str, Any]) -> None:
    """Note a shape; content that is no text is written as JSON."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    file_name = "posts.csv" if name.startswith("csv ") else "posts.json"
    SHAPES[name] = (file_name, text, list(expected))


shape(
    "actor with spaced keys",
    [
        {
            "Date Scraped": "2026-11-25T10:16:41.649Z",
            "Job ID": "1990000000000000123",
            "Time Posted": "2026-11-24T10:12:21.649Z",
            "Project Payment Type": "Hourly",
            "Budget": "$7.00 - $25.00",
            "Skill Level": "Intermediate",
            "Title": "Shed painter",
            "URL": "https://www.upwork.com/jobs/url",
            "Description": "Paint it.",
            "Location": "United States",
            "Total Spent": "$4,588.28",
            "Feedback": 4.99,
            "Proposals": 8,
            "Project Length": "Less than 1 month",
            "Weekly Hours": "Less than 30 hrs/week",
            "Skills": ["Python", "CI/CD"],
        }
    ],
    {
        **UPWORK,
        "title": "Shed painter",
        "description": "Paint it.",
        "skills": ["Python", "CI/CD"],
        "job_type": "hourly",
        "hourly_min": 7,
        "hourly_max": 25,
        "currency": "USD",
        "experience_level": "intermediate",
        "duration": "month",
        "client_country": "US",
        "client_spent": 4588.28,
        "client_rating": 4.99,
        "proposals": 8,
        "posted_at": "2026-11-24T10:12:21.649000Z",
    },
)
shape(
    "actor with a buyer and tags",
    {
        "id": "1990000000000000123",
        "title": "Shop assistant",
        "description": "Answer mails.",
        "job_type": "fixed-price",
        "status": "open",
        "contractor_tier": "expert",
        "posted_on": "2026-11-20T15:51:54Z",
        "category": {"name": "Customer Service", "slug": "customer-service"},
        "budget": {"fixed_amount": 0, "currency": "USD"},
        "buyer": {
            "payment_verified": True,
            "country": "UNITED STATES",
            "city": "Austin",
            "total_spent": 32812.32,
            "total_assignments": 21,
            "total_jobs_with_hires": 17,
        },
        "tags": ["jsi_contractToHire", "searchable"],
        "last_visited_at": "2026-11-24T00:54:39Z",
        "posted_on_relative": "5 days ago",
        "duration_label": "More than 6 months",
        "engagement": "Less than 30 hrs/week",
        "skills": ["Customer Service"],
        "client_activity": {"total_applicants": 1, "total_hired": 0, "invitations_sent": 3},
        "location": {"country": "Germany"},
        "scraped_at": "2026-11-24T23:00:05Z",
    },
    {
        **UPWORK,
        "title": "Shop assistant",
        "description": "Answer mails.",
        "skills": ["Customer Service"],
        "job_type": "fixed",
        "experience_level": "expert",
        "duration": "ongoing",
        "client_country": "US",
        "client_spent": 32812.32,
        "client_hires": 21,
        "client_payment_verified": True,
        "proposals": 1,
        "posted_at": "2026-11-20T15:51:54Z",
    },
)
shape(
    "actor with objects for each kind of pay",
    [
        {
            "uid": CODE,
            "title": "Two sheds",
            "type": "HOURLY",
            "ts_publish": 1795000000,
            "ts_create": 1794900000,
            "hourly": {"min": 12.5, "max": 30},
            "fixed": {"budget": {"amount": None}},
            "level": "ENTRY",
            "isPaymentMethodVerified": False,
            "buyer": {
                "location": {"country": "Kenya", "city": "Nairobi"},
                "stats": {"score": 4.7, "totalCharges": {"amount": 900.5}},
                "jobs": {"postedCount": 10, "openCount": 2},
                "hireRate": 60,
            },
            "clientActivity": {"totalApplicants": 17},
        }
    ],
    {
        **UPWORK,
        "title": "Two sheds",
        "job_type": "hourly",
        "hourly_min": 12.5,
        "hourly_max": 30,
        "currency": "USD",
        "experience_level": "entry",
        "client_country": "KE",
        "client_spent": 900.5,
        "client_hire_rate": 60,
        "client_payment_verified": False,
        "client_rating": 4.7,
        "proposals": 17,
        "posted_at": "2026-11-18T11:06:40Z",
    },
)
shape(
    "extension's webhook",
    {
        "event": "jobs_found",
        "sentAt": "2026-11-25T12:00:00Z",
        "jobs": [
            {
                "uid": CODE,
                "title": 'Fix <span class="highlight">React</span> app',
                "url": "https://www.upwork.com/jobs/Fix-React-app_~021990000000000000123/",
                "jobType": "Hourly",
                "skillLevel": "Expert",
                "budget": "N/A",
                "hourlyRange": "$30-50",
                "estimatedTime": "3 to 6 months, 30+ hrs/week",
                "paymentVerified": True,
                "clientRating": "4.95",
                "clientSpent": "$10K+ spent",
                "clientCountry": "United States",
                "clientLocation": "San Francisco, CA",
                "proposals": "Less than 5",
                "skills": [],
                "postedAgo": "2h",
                "scrapedAt": 1749499907617,
                "sourceUrl": "https://www.upwork.com/nx/search/jobs/?sort=recency",
            }
        ],
    },
    {
        **UPWORK,
        "title": "Fix React app",
        "job_type": "hourly",
        "hourly_min": 30,
        "hourly_max": 50,
        "currency": "USD",
        "experience_level": "expert",
        "duration": "semester",
        "client_country": "US",
        "client_spent": 10000,
        "client_payment_verified": True,
        "client_rating": 4.95,
        "proposals": 4,
        "posted_at": "2026-11-25T10:00:00Z",
    },
)
shape(
    "GraphQL edges",
    {
        "data": {
            "marketplaceJobPostingsSearch": {
                "totalCount": 1,
                "edges": [
                    {
                        "cursor": "1",
                        "node": {
                            "id": "1990000000000000123",
                            "title": "H^Python^H scripts",
                            "publishedDateTime": "2026-11-10T10:15:30+0530",
                            "renewedDateTime": "2026-11-24T10:15:30+0000",
                            "experienceLevel": "ENTRY_LEVEL",
                            "duration": "QUARTER",
                            "amount": {"rawValue": "1500.0", "currency": "USD", "displayValue": ""},
                            "hourlyBudgetMin": None,
                            "skills": [{"name": "python", "prettyName": "Python"}],
                            "totalApplicants": 0,
                            "client": {
                                "totalHires": 9,
                                "totalPostedJobs": 3,
                                "verificationStatus": "NOT_VERIFIED",
                                "location": {"country": "PRI"},
                                "totalFeedback": 0.0,
                            },
                        },
                    }
                ],
                "pageInfo": {"endCursor": "1", "hasNextPage": False},
            }
        }
    },
    {
        **UPWORK,
        "title": "Python scripts",
        "skills": ["Python"],
        "job_type": "fixed",
        "fixed_budget": 1500,
        "currency": "USD",
        "experience_level": "entry",
        "duration": "quarter",
        "client_country": "PR",
        "client_hires": 9,
        "client_hire_rate": 100,
        "client_payment_verified": False,
        "proposals": 0,
        "posted_at": "2026-11-10T04:45:30Z",
    },
)
shape(
    "JSON Feed",
    {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Jobs for you",
        "home_page_url": "https://www.upwork.com/",
        "items": [
            {
                "id": "https://www.upwork.com/jobs/~021990000000000000123",
                "url": "https://www.upwork.com/jobs/Logo_%7E021990000000000000123?source=rss",
                "title": "Logo - Upwork",
                "content_html": "<p>Draw &amp; colour.</p>",
                "date_published": "2026-11-10T10:15:30,250Z",
                "tags": ["Logo Design", "Figma"],
            }
        ],
    },
    {
        **UPWORK,
        "title": "Logo",
        "description": "Draw & colour.",
        "skills": ["Logo Design", "Figma"],
        "posted_at": "2026-11-10T10:15:30.250000Z",
    },
)
shape(
    "RSS by xml2js",
    {
        "rss": {
            "channel": [
                {
                    "title": ["upwork"],
                    "item": [
                        {
                            "title": ["Boat builder - Upwork"],
                            "link": ["https://www.upwork.com/jobs/Boat_~021990000000000000123"],
                            "description": [
                                (
                                    "Build it.<br /><br />"
                                    "<b>Hourly Range</b>: $15.00-$20.00\n<br />"
                                    "<b>Posted On</b>: November 10, 2026 09:43 UTC<br />"
                                    "<b>Category</b>: Craft<br />"
                                    "<b>Skills</b>:Wood,     Nails    <br />"
                                    "<b>Skills</b>:        Wood,                     Nails<br />"
                                    "<b>Country</b>: New Zealand\n<br />"
                                    '<a href="https://www.upwork.com/jobs/x">click to apply</a>'
                                )
                            ],
                            "pubDate": ["Tue, 10 Nov 2026 09:43:21 +0000"],
                            "guid": [{"_": "abc", "$": {"isPermaLink": "false"}}],
                        }
                    ],
                }
            ]
        }
    },
    {
        **UPWORK,
        "title": "Boat builder",
        "description": "Build it.",
        "skills": ["Wood", "Nails"],
        "job_type": "hourly",
        "hourly_min": 15,
        "hourly_max": 20,
        "currency": "USD",
        "client_country": "NZ",
        "posted_at": "2026-11-10T09:43:21Z",
    },
)
shape(
    "csv spreadsheet with spaced headings",
    "Job Title;Job Link;Budget (USD);Posted Date;Client Country;Client Total Spent;Hire Rate;"
    "Payment Verified?;No. of Proposals;Skills Required\n"
    "Shop;https://www.upwork.com/jobs/~021990000000000000123;1.500,00 $;13.11.2026 15:05;DEU;"
    "$1.5M;85 %;Yes;20 to 50;PHP | MySQL\n",
    {
        **UPWORK,
        "title": "Shop",
        "skills": ["PHP", "MySQL"],
        "job_type": "fixed",
        "fixed_budget": 1500,
        "currency": "USD",
        "client_country": "DE",
        "client_spent": 1_500_000,
        "client_hire_rate": 85,
        "client_payment_verified": True,
        "proposals": 50,
        "posted_at": "2026-11-13T15:05:00Z",
    },
)
shape(
    "csv export of nested objects by slashes",
    "jobId,title,client/totalSpent,client/location/country,skills/0,skills/1,budget/amount,"
    "budget/currencyCode,postedOn\n"
    "1990000000000000123,Desk,1234.5,FRA,Oak,Pine,80,EUR,1795000000000\n",
    {
        **UPWORK,
        "title": "Desk",
        "skills": ["Oak", "Pine"],
        "job_type": "fixed",
        "fixed_budget": 80,
        "currency": "EUR",
        "client_country": "FR",
        "client_spent": 1234.5,
        "posted_at": "2026-11-18T11:06:40Z",
    },
)
shape(
    "csv with JSON and Python in cells",
    "id,name,client,skills,price\n"
    '~021990000000000000123,Chair,"{""country"": ""Italy"", ""total_spent"": ""$2K""}",'
    '"[""Go"", ""C++""]","{\'amount\': 75, \'currency\': \'GBP\'}"\n',
    {
        **UPWORK,
        "title": "Chair",
        "skills": ["Go", "C++"],
        "job_type": "fixed",
        "fixed_budget": 75,
        "currency": "GBP",
        "client_country": "IT",
        "client_spent": 2000,
    },
)
shape(
    "German keys",
    [
        {
            "Projekttitel": "Webseite für Bäckerei",
            "Projektbeschreibung": "Bitte ansprechend.",
            "Kenntnisse": "WordPress, PHP",
            "Vergütungsart": "Stundenlohn",
            "Stundensatz": "25 – 50 €/Std.",
            "Erfahrungsstufe": "Fortgeschritten",
            "Projektdauer": "1 bis 3 Monate",
            "Auftraggeber": {"Land": "Österreich", "Gesamtausgaben": "1.234,56 €"},
            "Bewertung": "4,9",
            "Gebote": "5 bis 10",
            "Zahlung verifiziert": "ja",
            "Veröffentlicht am": "10. November 2026",
        }
    ],
    {
        "title": "Webseite für Bäckerei",
        "description": "Bitte ansprechend.",
        "skills": ["WordPress", "PHP"],
        "job_type": "hourly",
        "hourly_min": 25,
        "hourly_max": 50,
        "currency": "EUR",
        "experience_level": "expert",
        "duration": "quarter",
        "client_country": "AT",
        "client_spent": 1234.56,
        "client_payment_verified": True,
        "client_rating": 4.9,
        "proposals": 10,
        "posted_at": "2026-11-10T00:00:00Z",
    },
)
shape(
    "French keys",
    {
        "resultats": [
            {
                "titre": "Refonte d'un site",
                "description": "Un petit site.",
                "compétences": ["HTML", "CSS"],
                "type de tarification": "prix fixe",
                "budget": "entre 500 et 1 000 €",
                "durée": "moins d'un mois",
                "niveau": "Débutant",
                "pays du client": "Belgique",
                "total dépensé": "12 500 €",
                "candidatures": 7,
                "publié le": "10 novembre 2026 à 15:05",
            }
        ]
    },
    {
        "title": "Refonte d'un site",
        "description": "Un petit site.",
        "skills": ["HTML", "CSS"],
        "job_type": "fixed",
        "fixed_budget": 1000,
        "currency": "EUR",
        "experience_level": "entry",
        "duration": "month",
        "client_country": "BE",
        "client_spent": 12500,
        "proposals": 7,
        "posted_at": "2026-11-10T15:05:00Z",
    },
)
shape(
    "Spanish keys",
    [
        {
            "título": "Tienda en línea",
            "descripción": "Una tienda.",
            "presupuesto": "USD 1.000 - 3.000",
            "habilidades": "Shopify; SEO",
            "fecha de publicación": "Hace 4 horas",
            "país": "México",
            "propuestas": "Menos de 5",
            "método de pago verificado": "Sí",
            "enlace": "https://www.workana.com/job/tienda-en-linea?ref=x",
            "duración": "De 1 a 3 meses",
        }
    ],
    {
        "id": "workana:tienda-en-linea",
        "url": "https://www.workana.com/job/tienda-en-linea",
        "title": "Tienda en línea",
        "description": "Una tienda.",
        "skills": ["Shopify", "SEO"],
        "job_type": "fixed",
        "fixed_budget": 3000,
        "currency": "USD",
        "duration": "quarter",
        "client_country": "MX",
        "client_payment_verified": True,
        "proposals": 4,
        "posted_at": "2026-11-25T08:00:00Z",
    },
)
shape(
    "Portuguese keys",
    [
        {
            "título": "Aplicativo",
            "descrição": "Para Android.",
            "orçamento": "R$ 2.500,00 - R$ 5.000,00",
            "competências": ["Kotlin"],
            "publicado em": "há 2 dias",
            "país": "Brasil",
            "nº de propostas": "12",
            "nível": "Intermediário",
            "avaliação do cliente": "4,75",
            "prazo": "mais de 6 meses",
        }
    ],
    {
        "title": "Aplicativo",
        "description": "Para Android.",
        "skills": ["Kotlin"],
        "job_type": "fixed",
        "fixed_budget": 5000,
        "currency": "BRL",
        "experience_level": "intermediate",
        "duration": "ongoing",
        "client_country": "BR",
        "client_rating": 4.75,
        "proposals": 12,
        "posted_at": "2026-11-23T12:00:00Z",
    },
)
shape(
    "Polish keys",
    [
        {
            "tytuł": "Sklep internetowy",
            "opis": "Mały sklep.",
            "budżet": "1 500 - 2 500 zł",
            "umiejętności": ["PHP"],
            "data publikacji": "10.11.2026",
            "kraj": "Polska",
            "liczba ofert": 3,
            "poziom": "Średnio zaawansowany",
            "czas trwania": "1-3 miesiące",
        }
    ],
    {
        "title": "Sklep internetowy",
        "description": "Mały sklep.",
        "skills": ["PHP"],
        "job_type": "fixed",
        "fixed_budget": 2500,
        "currency": "PLN",
        "experience_level": "intermediate",
        "duration": "quarter",
        "client_country": "PL",
        "proposals": 3,
        "posted_at": "2026-11-10T00:00:00Z",
    },
)
shape(
    "pairs of name and value",
    [
        {
            "url": "https://www.upwork.com/jobs/~021990000000000000123",
            "fields": [
                {"name": "Title", "value": "Garden"},
                {"name": "Budget", "value": "$1.5K – $3K"},
                {"name": "Experience level", "value": "Entry Level ($)"},
                {"name": "Country", "value": "GBR"},
                {"name": "Posted", "value": "yesterday"},
            ],
        }
    ],
    {
        **UPWORK,
        "title": "Garden",
        "job_type": "fixed",
        "fixed_budget": 3000,
        "currency": "USD",
        "experience_level": "entry",
        "client_country": "GB",
        "posted_at": "2026-11-24T12:00:00Z",
    },
)
shape(
    "rows that are lists of pairs",
    [
        [
            {"key": "title", "value": "One"},
            {"key": "hourly rate", "value": "$40.00/hr"},
            {"key": "job_id", "value": "021990000000000000123"},
        ]
    ],
    {**UPWORK, "title": "One", "job_type": "hourly", "hourly_min": 40, "currency": "USD"},
)
shape(
    "values as raw, display and currency",
    {
        "job": {
            "key": "lb-77",
            "title": {"raw": "Label &amp; box", "display": "Label & box"},
            "budget": {"raw": "750", "display": "€750.00", "currency": "EUR"},
            "postedAt": {"raw": "2026-11-10T10:15:30Z", "display": "2 weeks ago"},
            "proposals": {"raw": 12, "display": "10 to 15"},
            "client": {"rating": {"raw": 4.5, "display": "4.5 of 5"}, "country": {"code": "NL"}},
        }
    },
    {
        "id": "import:lb-77",
        "title": "Label & box",
        "job_type": "fixed",
        "fixed_budget": 750,
        "currency": "EUR",
        "client_country": "NL",
        "client_rating": 4.5,
        "proposals": 12,
        "posted_at": "2026-11-10T10:15:30Z",
    },
)
shape(
    "money in cents where the key says so",
    [
        {"id": "c-1", "title": "A", "budget_cents": 150000, "currency": "USD"},
        {"id": "c-2", "title": "B", "budget": 150000, "currency": "USD"},
        {"id": "c-3", "title": "C", "hourly": {"minCents": 1250, "maxCents": 2000}},
        {"id": "c-4", "title": "D", "price": {"amount": 9900, "unit": "cents", "currency": "CAD"}},
    ],
    {
        "id": "import:c-1",
        "title": "A",
        "job_type": "fixed",
        "fixed_budget": 1500,
        "currency": "USD",
    },
    {
        "id": "import:c-2",
        "title": "B",
        "job_type": "fixed",
        "fixed_budget": 150000,
        "currency": "USD",
    },
    {"id": "import:c-3", "title": "C", "job_type": "hourly", "hourly_min": 12.5, "hourly_max": 20},
    {"id": "import:c-4", "title": "D", "job_type": "fixed", "fixed_budget": 99, "currency": "CAD"},
)
shape(
    "linked data",
    {
        "@context": "https://schema.org",
        "@type": "JobPosting",
        "title": "Translator",
        "description": "Into Dutch.",
        "datePosted": "2026-11-10",
        "validThrough": "2026-12-10",
        "identifier": {"@type": "PropertyValue", "name": "Acme", "value": "tr-9"},
        "hiringOrganization": {"@type": "Organization", "name": "Acme", "url": "https://a.example"},
        "jobLocation": {"@type": "Place", "address": {"addressCountry": "BE"}},
        "baseSalary": {
            "@type": "MonetaryAmount",
            "currency": "EUR",
            "value": {
                "@type": "QuantitativeValue",
                "minValue": 20,
                "maxValue": 35,
                "unitText": "HOUR",
            },
        },
        "skills": "Dutch, English",
    },
    {
        "id": "import:tr-9",
        "title": "Translator",
        "description": "Into Dutch.",
        "skills": ["Dutch", "English"],
        "job_type": "hourly",
        "hourly_min": 20,
        "hourly_max": 35,
        "currency": "EUR",
        "client_country": "BE",
        "posted_at": "2026-11-10T00:00:00Z",
    },
)
shape(
    "Freelancer.com's API",
    {
        "status": "success",
        "result": {
            "projects": [
                {
                    "id": 38111222,
                    "owner_id": 5,
                    "title": "Scrape shops",
                    "seo_url": "python/scrape-shops",
                    "type": "hourly",
                    "preview_description": "Daily.",
                    "description": "Daily. In Python.",
                    "jobs": [{"id": 13, "name": "Python"}, {"id": 95, "name": "Web Scraping"}],
                    "budget": {"minimum": 10, "maximum": 30},
                    "currency": {"id": 3, "code": "AUD", "sign": "$", "country": "AU"},
                    "bid_stats": {"bid_count": 12, "bid_avg": 250.5},
                    "time_submitted": 1795000000,
                    "time_updated": 1795100000,
                    "location": {"country": {"name": "Australia"}, "city": "Perth"},
                }
            ]
        },
    },
    {
        "id": "import:38111222",
        "title": "Scrape shops",
        "description": "Daily. In Python.",
        "skills": ["Python", "Web Scraping"],
        "job_type": "hourly",
        "hourly_min": 10,
        "hourly_max": 30,
        "currency": "AUD",
        "client_country": "AU",
        "proposals": 12,
        "posted_at": "2026-11-18T11:06:40Z",
    },
)
shape(
    "another market's actor",
    [
        {
            "listingId": "fb7bdc37",
            "title": "Ghost writer",
            "countryCode": "AU",
            "countryName": "Australia",
            "priceValue": 200,
            "priceCurrency": "USD",
            "priceText": "200 USD",
            "priceUnit": "project",
            "listingType": "Fixed Price",
            "publishedAt": "2026-04-25T09:52:13.000Z",
            "deadline": "2026-05-16",
            "totalProposals": 7,
            "totalViews": 79,
            "clientName": "Mary W",
            "clientSpent": 0,
            "clientJobsPosted": 2,
            "clientPaymentVerified": False,
            "scrapedAt": "2026-04-25T13:05:36.114Z",
        }
    ],
    {
        "id": "import:fb7bdc37",
        "title": "Ghost writer",
        "job_type": "fixed",
        "fixed_budget": 200,
        "currency": "USD",
        "client_country": "AU",
        "client_spent": 0,
        "client_payment_verified": False,
        "proposals": 7,
        "posted_at": "2026-04-25T09:52:13Z",
    },
)
shape(
    "MongoDB's extended JSON",
    [
        {
            "_id": {"$oid": "65f0c0ffee65f0c0ffee65f0"},
            "title": "Mongo",
            "postedAt": {"$date": {"$numberLong": "1795000000000"}},
            "budget": {"$numberDecimal": "250.50"},
            "proposals": {"$numberInt": "3"},
        }
    ],
    {
        "id": "import:65f0c0ffee65f0c0ffee65f0",
        "title": "Mongo",
        "job_type": "fixed",
        "fixed_budget": 250.5,
        "proposals": 3,
        "posted_at": "2026-11-18T11:06:40Z",
    },
)
shape(
    "Elasticsearch and Firestore",
    {
        "took": 3,
        "hits": {
            "total": 1,
            "hits": [
                {
                    "_index": "jobs",
                    "_id": "es-1",
                    "_score": 4.2,
                    "_source": {
                        "title": {"stringValue": "Search"},
                        "hourlyRateMin": {"doubleValue": 15.5},
                        "hourlyRateMax": {"integerValue": "25"},
                        "paymentVerified": {"booleanValue": True},
                    },
                }
            ],
        },
    },
    {
        "id": "import:es-1",
        "title": "Search",
        "job_type": "hourly",
        "hourly_min": 15.5,
        "hourly_max": 25,
        "client_payment_verified": True,
    },
)
shape(
    "Airtable",
    {
        "records": [
            {
                "id": "recABC123",
                "createdTime": "2026-11-25T01:00:00.000Z",
                "fields": {
                    "Job": "Shelf",
                    "Link": "https://www.upwork.com/jobs/~021990000000000000123",
                    "Rate": "$20-$25/hr",
                    "Posted on": "11/13/2026, 3:05:07 PM",
                    "Spent": "$5K+\nspent",
                },
            }
        ]
    },
    {
        **UPWORK,
        "title": "Shelf",
        "job_type": "hourly",
        "hourly_min": 20,
        "hourly_max": 25,
        "currency": "USD",
        "client_spent": 5000,
        "posted_at": "2026-11-13T15:05:07Z",
    },
)
shape(
    "a sheet's values",
    {
        "range": "Sheet1!A1:D3",
        "values": [
            ["Title", "Budget", "Posted", "Link"],
            ["Row one", "$100", "Posted 3 hours ago", URL],
            ["Row two", "TBD", "3 days ago"],
        ],
    },
    {
        **UPWORK,
        "title": "Row one",
        "job_type": "fixed",
        "fixed_budget": 100,
        "currency": "USD",
        "posted_at": "2026-11-25T09:00:00Z",
    },
    {"title": "Row two", "posted_at": "2026-11-22T12:00:00Z"},
)
shape(
    "a table by columns",
    {"title": {"0": "Col", "1": "Umn"}, "id": {"0": "a-1", "1": "a-2"}, "bids": {"0": 4, "1": 0}},
    {"id": "import:a-1", "title": "Col", "proposals": 4},
    {"id": "import:a-2", "title": "Umn", "proposals": 0},
)
shape(
    "objects by their ids",
    {"~021990000000000000123": {"title": "Keyed", "country": "Location Paraguay"}},
    {**UPWORK, "title": "Keyed", "client_country": "PY"},
)
shape(
    "upper case and glued keys",
    [
        {
            "JOBTITLE": "GLUED",
            "JOBID": "1990000000000000123",
            "CLIENTCOUNTRY": "us",
            "TOTALSPENT": "$70k+ spent",
            "HOURLYBUDGETMIN": "9.5",
            "HOURLYBUDGETMAX": "nan",
            "PAYMENTVERIFIED": "Payment unverified",
            "EXPERIENCELEVEL": 2,
            "POSTEDDATE": "20261110",
        }
    ],
    {
        **UPWORK,
        "title": "GLUED",
        "job_type": "hourly",
        "hourly_min": 9.5,
        "currency": "USD",
        "experience_level": "intermediate",
        "client_country": "US",
        "client_spent": 70000,
        "client_payment_verified": False,
        "posted_at": "2026-11-10T00:00:00Z",
    },
)
shape(
    "one line of everything",
    [
        {
            "headline": "One liner",
            "link": "[One](https://www.upwork.com/jobs/~021990000000000000123)",
            "job_type": "Hourly: $15.00-$30.00 - Intermediate",
            "duration": "Est. Time: 1 to 3 months, Less than 30 hrs/week",
            "posted": "Posted last week",
            "client": "4.9 of 22 reviews",
            "client_hire_rate": "12 jobs posted\n66% hire rate, 2 open jobs",
        }
    ],
    {
        **UPWORK,
        "title": "One liner",
        "job_type": "hourly",
        "hourly_min": 15,
        "hourly_max": 30,
        "currency": "USD",
        "duration": "quarter",
        "client_hire_rate": 66,
        "client_rating": 4.9,
        "posted_at": "2026-11-18T12:00:00Z",
    },
)
shape(
    "a recorded visit with a text body",
    [
        {
            "url": "https://www.upwork.com/api/graphql/v1",
            "status": 200,
            "timestamp": "2026-11-25T11:00:00Z",
            "responseBody": json.dumps(
                {
                    "data": {
                        "search": {
                            "jobs": {
                                "results": [
                                    {"id": "1990000000000000123", "title": "In a body"},
                                    {"id": "1990000000000000124", "title": "Another"},
                                ]
                            }
                        }
                    }
                }
            ),
        }
    ],
    {**UPWORK, "title": "In a body"},
    {
        "id": "upwork:1990000000000000124",
        "url": "https://www.upwork.com/jobs/~021990000000000000124",
        "title": "Another",
    },
)
shape(
    "JSON:API",
    {
        "data": [
            {
                "type": "jobs",
                "id": "9",
                "attributes": {
                    "title": "Api",
                    "budget-type": "fixed",
                    "min-budget": "100.00",
                    "max-budget": "250.00",
                    "budget-currency": "SGD",
                    "published-at": "2026-11-10T10:15:30.123456789Z",
                },
                "links": {"self": "https://www.freelancer.com/projects/api/Api-38111222"},
            }
        ]
    },
    {
        "id": "import:9",
        "title": "Api",
        "job_type": "fixed",
        "fixed_budget": 250,
        "currency": "SGD",
        "posted_at": "2026-11-10T10:15:30.123456Z",
    },
)
shape(
    "WordPress",
    [
        {
            "id": 4411,
            "date": "2026-11-10T10:15:30",
            "modified": "2026-11-11T10:15:30",
            "title": {"rendered": "Post &#8211; it"},
            "content": {"rendered": "<p>Write.</p>\n", "protected": False},
            "excerpt": {"rendered": "<p>Wr&hellip;</p>"},
            "acf": {"budget": "500", "currency": "NZD", "country": "New Zealand"},
        }
    ],
    {
        "id": "import:4411",
        "title": "Post – it",
        "description": "Write.",
        "job_type": "fixed",
        "fixed_budget": 500,
        "currency": "NZD",
        "client_country": "NZ",
        "posted_at": "2026-11-10T10:15:30Z",
    },
)
shape(
    "lines of JSON with odd times",
    "\n".join(
        json.dumps({"id": f"t-{number}", "title": "T", "posted_at": posted})
        for number, posted in enumerate(
            (
                "10/11/2026",
                "1795000000",
                "1795000000000000",
                "Tue Nov 10 2026 10:15:30 GMT+0100 (Central European Standard Time)",
                "Monday",
                "6 días left",
                "2026-11-10 10:15:30 +0000 UTC",
                "/Date(1795000000000)/",
                "10:15",
            )
        )
    ),
    {"id": "import:t-0", "title": "T"},
    {"id": "import:t-1", "title": "T", "posted_at": "2026-11-18T11:06:40Z"},
    {"id": "import:t-2", "title": "T", "posted_at": "2026-11-18T11:06:40Z"},
    {"id": "import:t-3", "title": "T", "posted_at": "2026-11-10T09:15:30Z"},
    {"id": "import:t-4", "title": "T", "posted_at": "2026-11-23T12:00:00Z"},
    {"id": "import:t-5", "title": "T"},
    {"id": "import:t-6", "title": "T", "posted_at": "2026-11-10T10:15:30Z"},
    {"id": "import:t-7", "title": "T", "posted_at": "2026-11-18T11:06:40Z"},
    {"id": "import:t-8", "title": "T"},
)
shape(
    "a saved page",
    '<html><body><section><article class="job-tile" data-ev-job-uid="1990000000000000123">'
    '<small data-test="job-pubilshed-date"><span>Posted</span> <span>2 hours ago</span></small>'
    '<h2><a data-test="job-tile-title-link UpLink" href="/jobs/Oven_~021990000000000000123/">'
    'Oven <span class="highlight">repair</span></a></h2>'
    '<ul><li data-test="payment-verified">Verified Payment verified</li>'
    '<li data-test="total-spent"><strong>$3K+</strong> spent</li>'
    '<li data-test="location"><span>Location </span>Spain</li></ul>'
    '<li data-test="job-type-label"><strong>Hourly: $10.00 - $20.00</strong></li>'
    '<li data-test="experience-level">Entry Level</li>'
    '<div data-test="UpCLineClamp JobDescription"><p class="mb-0">Fix &amp; clean.</p></div>'
    '<button data-test="token"><span>Ovens</span></button><button data-test="token">+2</button>'
    '<li data-test="proposals-tier">Proposals: <strong>5 to 10</strong></li>'
    "</article></section></body></html>",
    {
        **UPWORK,
        "title": "Oven repair",
        "description": "Fix & clean.",
        "skills": ["Ovens"],
        "job_type": "hourly",
        "hourly_min": 10,
        "hourly_max": 20,
        "currency": "USD",
        "experience_level": "entry",
        "client_country": "ES",
        "client_spent": 3000,
        "client_payment_verified": True,
        "proposals": 10,
        "posted_at": "2026-11-25T10:00:00Z",
    },
)
