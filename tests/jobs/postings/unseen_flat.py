"""More invented shapes: flat rows, other scripts, and values that speak for themselves."""

from tests.jobs.postings.unseen import CODE, UPWORK, shape

shape(
    "prefixed keys",
    [
        {
            "job_title": "Prefixed",
            "job_url": "https://www.upwork.com/jobs/x_~021990000000000000123",
            "job_description": "d",
            "job_budget": "$500",
            "job_skills": "a,b",
            "job_posted": "3 hours ago",
            "job_type": "Fixed",
            "job_experience": "Expert",
            "job_duration": "1 to 3 months",
            "client_location": "India",
            "client_total_spent": "$1K",
            "client_total_jobs_posted": "12",
            "client_total_hires": 8,
            "client_avg_hourly": "$12.00/hr",
            "client_member_since": "Jan 5, 2020",
            "proposals_count": "5 to 10",
            "last_viewed_by_client": "2 hours ago",
            "interviewing": 3,
        }
    ],
    {
        **UPWORK,
        "title": "Prefixed",
        "description": "d",
        "skills": ["a", "b"],
        "job_type": "fixed",
        "fixed_budget": 500,
        "currency": "USD",
        "experience_level": "expert",
        "duration": "quarter",
        "client_country": "IN",
        "client_spent": 1000,
        "client_hires": 8,
        "client_hire_rate": 66.67,
        "proposals": 10,
        "posted_at": "2026-11-25T09:00:00Z",
    },
)
shape(
    "objects for every value",
    [
        {
            "jobTitle": "Nested",
            "postedDate": "Nov 10, 2026",
            "paymentType": "Hourly",
            "hourlyRate": {"min": "$10", "max": "$20"},
            "client": {
                "name": "Bob",
                "country": "US",
                "rating": {"score": 4.9, "count": 12},
                "totalSpent": {"amount": 1500, "currency": "USD"},
                "hires": {"total": 12, "active": 3},
                "jobsPosted": 20,
                "memberSince": "2019-01-01",
            },
            "proposals": {"min": 5, "max": 10},
            "connectsRequired": 12,
        }
    ],
    {
        "title": "Nested",
        "job_type": "hourly",
        "hourly_min": 10,
        "hourly_max": 20,
        "currency": "USD",
        "client_country": "US",
        "client_spent": 1500,
        "client_hires": 12,
        "client_hire_rate": 60,
        "client_rating": 4.9,
        "proposals": 10,
        "posted_at": "2026-11-10T00:00:00Z",
    },
)
shape(
    "a panel's texts",
    [
        {
            "title": "Panel",
            "description": "SummaryWe are three.",
            "client": {
                "location": "Sydney, Australia",
                "feedback": "4.95 of 22 reviews",
                "spend": "$100K+ total spent",
                "jobs_posted": "45 jobs posted",
                "hire_rate": "78% hire rate, 3 open jobs",
                "hires": "60 hires, 5 active",
                "payment": "Payment method verified",
            },
        }
    ],
    {
        "title": "Panel",
        "description": "We are three.",
        "client_country": "AU",
        "client_spent": 100_000,
        "client_hires": 60,
        "client_hire_rate": 78,
        "client_payment_verified": True,
        "client_rating": 4.95,
    },
)
shape(
    "sections",
    [
        {
            "title": "Sections",
            "client_info": {
                "country": "Spain",
                "total_spent": "$4,588.28",
                "rating": "4.99",
                "payment_verified": "No",
                "total_reviews": 12,
            },
            "job_details": {
                "budget": "$1,000",
                "experience_level": "Entry",
                "project_length": "6+ months",
                "posted_time": "1 hour ago",
                "proposals": "Less than 5",
            },
        }
    ],
    {
        "title": "Sections",
        "job_type": "fixed",
        "fixed_budget": 1000,
        "currency": "USD",
        "experience_level": "entry",
        "duration": "ongoing",
        "client_country": "ES",
        "client_spent": 4588.28,
        "client_payment_verified": False,
        "client_rating": 4.99,
        "proposals": 4,
        "posted_at": "2026-11-25T11:00:00Z",
    },
)
shape(
    "bounds whose kind stands elsewhere",
    [
        {"id": "b-1", "title": "A", "minBudget": "15", "maxBudget": "25", "jobType": "hourly"},
        {"id": "b-2", "title": "B", "budgetMin": 100, "budgetMax": 200, "isHourly": False},
        {"id": "b-3", "title": "C", "payment": {"type": "hourly", "min": 10, "currency": "CHF"}},
        {"id": "b-4", "title": "D", "fixed_price": True, "budget": "300"},
    ],
    {"id": "import:b-1", "title": "A", "job_type": "hourly", "hourly_min": 15, "hourly_max": 25},
    {"id": "import:b-2", "title": "B", "job_type": "fixed", "fixed_budget": 200},
    {
        "id": "import:b-3",
        "title": "C",
        "job_type": "hourly",
        "hourly_min": 10,
        "currency": "CHF",
    },
    {"id": "import:b-4", "title": "D", "job_type": "fixed", "fixed_budget": 300},
)
shape(
    "Russian keys",
    [
        {
            "название": "Сайт",
            "описание": "Нужен сайт.",
            "бюджет": "30 000 ₽",
            "опубликовано": "3 часа назад",
            "навыки": ["Go"],
            "страна": "Россия",
            "отклики": 5,
            "рейтинг": "4,8",
        }
    ],
    {
        "title": "Сайт",
        "description": "Нужен сайт.",
        "skills": ["Go"],
        "job_type": "fixed",
        "fixed_budget": 30_000,
        "currency": "RUB",
        "client_country": "RU",
        "client_rating": 4.8,
        "proposals": 5,
        "posted_at": "2026-11-25T09:00:00Z",
    },
)
shape(
    "Arabic keys",
    [
        {
            "عنوان": "تصميم",
            "الوصف": "شعار",
            "الميزانية": "$50.00 - $100.00",
            "المدة": "30 يوما",
            "المهارات": ["PHP"],
            "تاريخ النشر": "منذ 3 ساعات",
        }
    ],
    {
        "title": "تصميم",
        "description": "شعار",
        "skills": ["PHP"],
        "job_type": "fixed",
        "fixed_budget": 100,
        "currency": "USD",
        "duration": "month",
        "posted_at": "2026-11-25T09:00:00Z",
    },
)
shape(
    "unknown keys whose values speak",
    [
        {
            "title": "Speaking",
            "col1": "Hourly: $15.00 - $25.00",
            "col2": "Intermediate",
            "col3": "Posted 2 hours ago",
            "col4": "1 to 3 months, Less than 30 hrs/week",
            "col5": "Payment verified",
            "col6": "https://www.upwork.com/jobs/~021990000000000000123",
            "col7": "Proposals: 10 to 15",
            "col8": "12",
            "col9": "viewed 5 minutes ago",
        }
    ],
    {
        **UPWORK,
        "title": "Speaking",
        "job_type": "hourly",
        "hourly_min": 15,
        "hourly_max": 25,
        "currency": "USD",
        "experience_level": "intermediate",
        "duration": "quarter",
        "client_payment_verified": True,
        "proposals": 15,
        "posted_at": "2026-11-25T10:00:00Z",
    },
)
shape(
    "what means nothing",
    [
        {
            "id": CODE,
            "title": "  Nothing\n\tstated ",
            "description": "N/A",
            "budget": "0",
            "hourlyBudgetMin": 0.0,
            "hourlyBudgetMax": "nan",
            "country": "Worldwide",
            "experience_level": "-",
            "duration": "Not specified",
            "client_rating": 0,
            "client_spent": None,
            "proposals": "N/A",
            "posted_at": "unknown",
            "payment_verified": "null",
        }
    ],
    {**UPWORK, "title": "Nothing stated"},
)
shape(
    "things beside the job",
    {
        "title": "Lonely",
        "similarJobs": [{"title": "Other", "budget": 5}],
        "freelancer": {"hourlyRate": 99, "country": "US"},
        "category": {"name": "Art", "id": 7},
        "attachments": [{"name": "a.pdf", "url": "https://a.example/a.pdf"}],
        "bidStats": {"avgBid": {"amount": 250}},
        "deadline": "2026-12-24",
        "renewedOn": "2026-11-24T10:00:00Z",
        "scrapedAt": "2026-11-25T10:00:00Z",
        "timestamp": 1795000000,
        "weeklyBudget": {"amount": 400},
        "connects": 12,
        "preferredLocation": "Canada",
    },
    {"title": "Lonely"},
)
