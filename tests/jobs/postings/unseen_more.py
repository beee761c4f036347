"""A second handful of invented shapes, written once the first were read."""

from tests.jobs.postings.unseen import CODE, UPWORK, shape

OLD = {
    "id": "upwork:01a00fe65578faf70d",
    "url": "https://www.upwork.com/jobs/~01a00fe65578faf70d",
}
CARD = (
    '<div id="project-list"><div class="JobSearchCard-item"><div class="JobSearchCard-primary">'
    '<div class="JobSearchCard-primary-heading">'
    '<a href="/projects/php/shop-40012345" class="JobSearchCard-primary-heading-link">Shop</a>'
    '<span class="JobSearchCard-primary-heading-days">6 days left</span>'
    '<div class="JobSearchCard-primary-heading-status Tooltip--top">VERIFIED</div></div>'
    '<p class="JobSearchCard-primary-description">Build it</p>'
    '<div class="JobSearchCard-primary-tags">'
    '<a class="JobSearchCard-primary-tagsLink" href="/jobs/php">PHP</a>'
    '<a class="JobSearchCard-primary-tagsLink" href="/jobs/css">CSS</a></div></div>'
    '<div class="JobSearchCard-secondary"><div class="JobSearchCard-secondary-price">$155'
    '<span class="JobSearchCard-secondary-avgBid">Avg Bid</span></div>'
    '<div class="JobSearchCard-secondary-entry">23 bids</div></div></div></div>'
)

shape(
    "a store of Nuxt by places",
    [
        ["ShallowReactive", 1],
        {"data": 2, "state": 3},
        {"job": 4},
        {},
        {"opening": 5, "buyer": 11},
        {"ciphertext": 6, "title": 7, "description": 8, "type": 9, "budget": 10},
        CODE,
        "Paint a shed",
        "Paint it.",
        1,
        {"amount": 12, "currencyCode": 13},
        {"location": 14, "isPaymentMethodVerified": 15},
        250,
        "USD",
        {"country": 16},
        True,
        "Kenya",
    ],
    {
        **UPWORK,
        "title": "Paint a shed",
        "description": "Paint it.",
        "job_type": "fixed",
        "fixed_budget": 250,
        "currency": "USD",
        "client_country": "KE",
        "client_payment_verified": True,
    },
)
shape(
    "a cache by types and ids",
    {
        "ROOT_QUERY": {"__typename": "Query", "jobs": [{"__ref": "Job:1990000000000000123"}]},
        "Job:1990000000000000123": {
            "__typename": "Job",
            "id": "1990000000000000123",
            "title": "Paint",
            "publishedDate": "2026-11-24T10:00:00Z",
            "hourlyRate": {"min": 10, "max": 20, "currency": "USD"},
        },
    },
    {
        **UPWORK,
        "title": "Paint",
        "job_type": "hourly",
        "hourly_min": 10,
        "hourly_max": 20,
        "currency": "USD",
        "posted_at": "2026-11-24T10:00:00Z",
    },
)
shape(
    "numbered and decorated headings",
    [
        {
            "1. Title": "Paint",
            "2. 🔗 Link": f"https://www.upwork.com/jobs/{CODE}",
            "3. 💰 Budget": "💰 $1,200.00",
            "4. 📅 Posted": "📅 4 hours ago",
            "5. 🌍 Client Country": "🇰🇪 Kenya",
            "6. ⭐ Client Rating": "⭐ 4.9",
            "7. 💳 Payment Verified": "✅",
            "8. 👥 Proposals": "👥 15 to 20",
            "9. ⏱ Duration": "⏱ 3 to 6 months",
            "10. 🎯 Level": "🎯 Expert",
        }
    ],
    {
        **UPWORK,
        "title": "Paint",
        "job_type": "fixed",
        "fixed_budget": 1200,
        "currency": "USD",
        "experience_level": "expert",
        "duration": "semester",
        "client_country": "KE",
        "client_payment_verified": True,
        "client_rating": 4.9,
        "proposals": 20,
        "posted_at": "2026-11-25T08:00:00Z",
    },
)
shape(
    "csv in Spanish with two ends",
    "Título;Tipo de proyecto;Presupuesto mínimo;Presupuesto máximo;Moneda;País del cliente;"
    "Gasto total;Tasa de contratación;Fecha de publicación;Propuestas recibidas\n"
    'Pintar;Precio fijo;"1.000,50";"2.500,00";MXN;México;"US$ 12.345,67";92,5 %;'
    "24 de noviembre de 2026;Más de 50\n",
    {
        "title": "Pintar",
        "job_type": "fixed",
        "fixed_budget": 2500,
        "currency": "MXN",
        "client_country": "MX",
        "client_spent": 12345.67,
        "client_hire_rate": 92.5,
        "proposals": 50,
        "posted_at": "2026-11-24T00:00:00Z",
    },
)
shape(
    "Malt, Freelance.nl and Bionluk",
    [
        {
            "Titre de la mission": "Peinture",
            "TJM": "450 €/jour",
            "Durée": "3 mois",
            "Localisation": "Lyon, France",
            "Compétences clés": "React, Node",
            "Publié le": "24/11/2026",
            "Niveau d'expérience": "Confirmé",
        },
        {
            "Functietitel": "Schilder",
            "Uurtarief": "€ 75 - € 90",
            "Startdatum": "01-12-2026",
            "Looptijd": "6 maanden",
            "Geplaatst": "3 dagen geleden",
            "Locatie": "Utrecht, Nederland",
            "Reacties": "12",
        },
        {
            "Başlık": "Boya",
            "Açıklama": "Boyayın",
            "Bütçe": "1.000 - 2.500 TL",
            "Süre": "10 gün",
            "Yayınlanma tarihi": "3 gün önce",
            "Teklifler": "8 teklif",
        },
    ],
    {
        "title": "Peinture",
        "skills": ["React", "Node"],
        "duration": "quarter",
        "client_country": "FR",
        "posted_at": "2026-11-24T00:00:00Z",
    },
    {
        "title": "Schilder",
        "job_type": "hourly",
        "hourly_min": 75,
        "hourly_max": 90,
        "currency": "EUR",
        "duration": "semester",
        "client_country": "NL",
        "proposals": 12,
        "posted_at": "2026-11-22T12:00:00Z",
    },
    {
        "title": "Boya",
        "description": "Boyayın",
        "job_type": "fixed",
        "fixed_budget": 2500,
        "currency": "TRY",
        "duration": "month",
        "proposals": 8,
        "posted_at": "2026-11-22T12:00:00Z",
    },
)
shape(
    "a page of cards of Freelancer.com",
    CARD,
    {
        "id": "freelancercom:40012345",
        "url": "https://www.freelancer.com/projects/php/shop-40012345",
        "title": "Shop",
        "description": "Build it",
        "skills": ["PHP", "CSS"],
        "client_payment_verified": True,
        "proposals": 23,
    },
)
shape(
    "facts in groups",
    {
        "job": {
            "title": "Paint",
            "link": f"upwork.com/jobs/{CODE}",
            "budget": {"type": "fixed", "amount": {"value": 500, "currency": "USD"}},
        },
        "client": {
            "stats": {"total_spent": "$3.2k", "hire_rate": "72 %", "hires": "9"},
            "payment": {"verified": "yes"},
            "location": {"country_code": "NG"},
        },
        "meta": {
            "proposals": {"min": 10, "max": 15},
            "posted": {"relative": "3h ago", "iso": "2026-11-25T09:02:11Z"},
        },
    },
    {
        **UPWORK,
        "title": "Paint",
        "job_type": "fixed",
        "fixed_budget": 500,
        "currency": "USD",
        "client_country": "NG",
        "client_spent": 3200,
        "client_hires": 9,
        "client_hire_rate": 72,
        "client_payment_verified": True,
        "proposals": 15,
        "posted_at": "2026-11-25T09:02:11Z",
    },
)
shape(
    "the first API's search",
    {
        "server_time": 1795600000,
        "auth_user": {"first_name": "A", "timezone": "UTC"},
        "jobs": [
            {
                "id": "~01a00fe65578faf70d",
                "title": "Paint",
                "snippet": "Paint it.",
                "category2": "Craft",
                "subcategory2": "Colour",
                "skills": ["painting"],
                "job_type": "Hourly",
                "budget": 0,
                "duration": "3 to 6 months",
                "workload": "30+ hrs/week",
                "job_status": "Open",
                "date_created": "2026-11-20T05:54:57+0000",
                "url": "http://www.upwork.com/jobs/~01a00fe65578faf70d",
                "client": {
                    "country": "Australia",
                    "feedback": 4.5,
                    "reviews_count": 3,
                    "jobs_posted": 6,
                    "past_hires": 3,
                    "payment_verification_status": "VERIFIED",
                },
            }
        ],
        "paging": {"offset": 0, "count": 10, "total": 1},
    },
    {
        **OLD,
        "title": "Paint",
        "description": "Paint it.",
        "skills": ["painting"],
        "job_type": "hourly",
        "duration": "semester",
        "client_country": "AU",
        "client_hires": 3,
        "client_hire_rate": 50,
        "client_payment_verified": True,
        "client_rating": 4.5,
        "posted_at": "2026-11-20T05:54:57Z",
    },
)
shape(
    "the first API's profile of a job",
    {
        "profile": {
            "ciphertext": "~01a00fe65578faf70d",
            "op_recno": "209",
            "op_title": "Paint",
            "op_description": "Paint it.",
            "job_type": "Fixed",
            "amount": "150",
            "op_contractor_tier": "2",
            "op_ctime": "1795510800000",
            "op_est_duration": "1 to 3 months",
            "op_engagement": "Full-time - 30+ hrs/week",
            "op_tot_cand": "12",
            "buyer": {
                "op_country": "Australia",
                "op_tot_charge": "1234.5",
                "op_tot_asgs": "12",
                "op_adjusted_score": "4.8",
                "op_tot_jobs_posted": "20",
                "op_tot_jobs_filled": "10",
                "op_contract_date": "June 1, 2012",
            },
            "op_required_skills": {"op_required_skill": [{"skill": "painting"}]},
        }
    },
    {
        **OLD,
        "title": "Paint",
        "description": "Paint it.",
        "skills": ["painting"],
        "job_type": "fixed",
        "fixed_budget": 150,
        "currency": "USD",
        "experience_level": "intermediate",
        "duration": "quarter",
        "client_country": "AU",
        "client_spent": 1234.5,
        "client_hires": 12,
        "client_hire_rate": 50,
        "client_rating": 4.8,
        "proposals": 12,
        "posted_at": "2026-11-24T09:00:00Z",
    },
)
shape(
    "a wage by the month, and a log's line",
    [
        {
            "position": "Painter",
            "about_role": "Paint it.",
            "salary_min": 3000,
            "salary_max": 5000,
            "salary_period": "month",
            "salary_currency": "EUR",
            "posted_date": "2026-11-24",
            "must_have": ["Brush"],
        },
        {
            "level": "info",
            "msg": "new job",
            "time": "2026-11-25T11:59:00Z",
            "data": {
                "title": "Paint",
                "url": f"https://www.upwork.com/jobs/Paint_{CODE}/",
                "published": "2026-11-24T10:00:00Z",
                "rate": "$10-$20/hr",
            },
        },
    ],
    {
        "title": "Painter",
        "description": "Paint it.",
        "skills": ["Brush"],
        "posted_at": "2026-11-24T00:00:00Z",
    },
    {
        **UPWORK,
        "title": "Paint",
        "job_type": "hourly",
        "hourly_min": 10,
        "hourly_max": 20,
        "currency": "USD",
        "posted_at": "2026-11-24T10:00:00Z",
    },
)
shape(
    "Korean keys",
    [
        {
            "제목": "쇼핑몰",
            "예산": "500,000원",
            "기간": "30일",
            "지원자 수": "3명",
            "등록일": "2026.11.24",
            "기술": ["Java"],
            "국가": "대한민국",
        }
    ],
    {
        "title": "쇼핑몰",
        "skills": ["Java"],
        "job_type": "fixed",
        "fixed_budget": 500000,
        "currency": "KRW",
        "duration": "month",
        "client_country": "KR",
        "proposals": 3,
        "posted_at": "2026-11-24T00:00:00Z",
    },
)
