"""A third handful: what today's tools make of Upwork's own pages."""

from tests.jobs.postings.unseen import CODE, UPWORK, shape

OLD = {
    "id": "upwork:0123456789abcdef",
    "url": "https://www.upwork.com/jobs/~0123456789abcdef",
}
TILE = (
    '<html><body><div data-test="job-tile-list"><article data-ev-label="search_results_impression" '
    'data-ev-job-uid="1990000000000000123" class="air3-card air3-card-list px-4x">'
    '<small class="text-light" data-test="job-pubilshed-date"><span>Posted</span> '
    "<span>3 hours ago</span></small>"
    '<h2 class="h5 mb-0"><a href="/jobs/Paint-shed_~021990000000000000123/?referrer_url_path=x">'
    'Paint a <span class="highlight">shed</span></a></h2>'
    '<ul><li data-test="payment-verified"><div class="air3-icon"></div>Payment verified</li>'
    '<li data-test="feedback-rating"><span class="air3-rating-value-text">4.92</span>'
    '<span class="sr-only">Rating is 4.92 out of 5.</span></li>'
    '<li data-test="total-spent"><strong>$9K+</strong> spent</li>'
    '<li data-test="location"><span>Location</span> New Zealand</li></ul>'
    '<ul><li data-test="job-type-label"><strong>Hourly: $30.00 - $60.00</strong></li>'
    '<li data-test="experience-level"><strong>Expert</strong></li>'
    '<li data-test="duration-label"><strong>Est. time:</strong> '
    "<strong>3 to 6 months, Less than 30 hrs/week</strong></li></ul>"
    '<div class="air3-line-clamp"><p class="mb-0 text-body-sm rr-mask">Paint it well.</p></div>'
    '<div><span data-test="token"><button>Paint</button></span>'
    '<span data-test="token"><button>Wood</button></span></div>'
    '<li data-test="proposals-tier">Proposals: <strong>15 to 20</strong></li>'
    "</article></div></body></html>"
)

shape("a tile told by its job's number alone", TILE, {
    **UPWORK, "title": "Paint a shed", "description": "Paint it well.",
    "skills": ["Paint", "Wood"], "job_type": "hourly", "hourly_min": 30, "hourly_max": 60,
    "currency": "USD", "experience_level": "expert", "duration": "semester",
    "client_country": "NZ", "client_spent": 9000, "client_payment_verified": True,
    "client_rating": 4.92, "proposals": 20, "posted_at": "2026-11-25T09:00:00Z",
})  # fmt: skip
shape(
    "csv of a sheet of jobs",
    "position,title,url,job_id,description,time,time_raw,skills,type,experience_level,"
    "time_estimate,budget,proposals,client_location,client_jobs_posted,client_hire_rate,"
    "client_hourly_rate,client_total_spent,continent,extraction_date\n"
    f"3,Paint,https://www.upwork.com/jobs/Paint_{CODE},021990000000000000123,Paint it.,1795510800,"
    "\"27 hours ago\",\"['Python', 'Excel']\",Hourly,Intermediate,"
    '"1 to 3 months, Less than 30 hrs/week",$20-$40,5 to 10,Germany,40,75,18.5,12000,Europe,'
    "2026-11-25\n"
    "4,Write,https://www.upwork.com/jobs/W_~0123456789abcdef,~0123456789abcdef,Write it.,"
    "1795507200,28 hours ago,[],Fixed,Entry,Less than a month,150.0,Less than 5,,0,,,0,,\n",
    {
        **UPWORK,
        "title": "Paint",
        "description": "Paint it.",
        "skills": ["Python", "Excel"],
        "job_type": "hourly",
        "hourly_min": 20,
        "hourly_max": 40,
        "currency": "USD",
        "experience_level": "intermediate",
        "duration": "quarter",
        "client_country": "DE",
        "client_spent": 12000,
        "client_hire_rate": 75,
        "proposals": 10,
        "posted_at": "2026-11-24T09:00:00Z",
    },
    {
        **OLD,
        "title": "Write",
        "description": "Write it.",
        "job_type": "fixed",
        "fixed_budget": 150,
        "currency": "USD",
        "experience_level": "entry",
        "duration": "month",
        "client_spent": 0,
        "proposals": 4,
        "posted_at": "2026-11-24T08:00:00Z",
    },
)
shape(
    "an actor of a logged-in feed",
    [
        {
            "uid": CODE,
            "title": "Scraper",
            "url": "https://www.upwork.com/jobs/021990000000000000123",
            "description": "Scrape it",
            "jobType": "Hourly",
            "hourlyBudgetMin": 40,
            "hourlyBudgetMax": 80,
            "fixedAmount": None,
            "currency": "USD",
            "duration": "Less than a month",
            "engagement": "Less than 30 hrs/week",
            "tier": "Expert",
            "proposalsTier": "5 to 10",
            "freelancersToHire": 1,
            "connectPrice": 16,
            "skills": ["Python"],
            "publishedOn": "2026-11-18T09:22:11.000Z",
            "createdOn": "2026-11-17T09:22:11.000Z",
            "renewedOn": None,
            "client": {
                "country": "United States",
                "city": "San Francisco",
                "region": "Northern America",
                "timezone": "UTC-08:00 America/Los_Angeles",
                "totalHires": 42,
                "totalSpent": 184300,
                "totalReviews": 38,
                "totalFeedback": 4.92,
                "paymentVerified": True,
                "topClient": True,
                "lastRecruitingActivity": "2026-11-24T09:22:11.000Z",
            },
            "feed": "best-matches",
        }
    ],
    {
        **UPWORK,
        "title": "Scraper",
        "description": "Scrape it",
        "skills": ["Python"],
        "job_type": "hourly",
        "hourly_min": 40,
        "hourly_max": 80,
        "currency": "USD",
        "experience_level": "expert",
        "duration": "month",
        "client_country": "US",
        "client_spent": 184300,
        "client_hires": 42,
        "client_payment_verified": True,
        "client_rating": 4.92,
        "proposals": 10,
        "posted_at": "2026-11-18T09:22:11Z",
    },
)
shape(
    "an actor's matches, a page's list and an import",
    [
        {
            "title": "Scraper",
            "jobUrl": "https://www.upwork.com/jobs/Scraper_~0123456789abcdef/",
            "jobId": "~0123456789abcdef",
            "postedAt": "2026-11-24T09:00:00.000Z",
            "scrapedAt": "2026-11-25T11:00:00.000Z",
            "jobType": "fixed",
            "fixedBudget": 1200,
            "hourlyMin": None,
            "hourlyMax": None,
            "experienceLevel": "intermediate",
            "estimatedDuration": "1 to 3 months",
            "workload": "Less than 30 hrs/week",
            "skills": ["Python"],
            "descriptionSnippet": "Scrape it",
            "fullDescription": None,
            "clientCountry": "United States",
            "clientRating": 4.9,
            "clientSpent": "$10K+ spent",
            "proposalsCount": "Less than 5",
            "sourceSearchKeyword": "scraping",
            "matchedKeywords": ["web scraping", "python"],
            "relevanceScore": 88,
        },
        {
            "title": "Enclosure",
            "hourlyRate": 90,
            "description": "Draw it",
            "clientRating": 0,
            "clientPaymentVerified": True,
            "clientReviews": 0,
            "clientSpent": 0,
            "proposals": "Less than 5",
            "url": f"https://www.upwork.com/jobs/Enclosure_{CODE}",
            "posted": "5 minutes ago",
            "scannedAt": "2026-11-25T11:26:47.154Z",
            "score": 6,
        },
        {
            "upworkId": "~0123456789abcdef",
            "title": "React",
            "link": "https://www.upwork.com/jobs/~0123456789abcdef",
            "budget": "$2,500",
            "proposals": "20 to 50",
            "jobType": "Fixed-price",
            "weeklyHours": "Less than 30 hrs/week",
            "clientSpent": "$60K+ spent",
            "clientVerified": True,
        },
    ],
    {
        **OLD,
        "title": "Scraper",
        "description": "Scrape it",
        "skills": ["Python"],
        "job_type": "fixed",
        "fixed_budget": 1200,
        "currency": "USD",
        "experience_level": "intermediate",
        "duration": "quarter",
        "client_country": "US",
        "client_spent": 10000,
        "client_rating": 4.9,
        "proposals": 4,
        "posted_at": "2026-11-24T09:00:00Z",
    },
    {
        **UPWORK,
        "title": "Enclosure",
        "description": "Draw it",
        "job_type": "hourly",
        "hourly_min": 90,
        "currency": "USD",
        "client_spent": 0,
        "client_payment_verified": True,
        "proposals": 4,
        "posted_at": "2026-11-25T11:55:00Z",
    },
    {
        **OLD,
        "title": "React",
        "job_type": "fixed",
        "fixed_budget": 2500,
        "currency": "USD",
        "client_spent": 60000,
        "client_payment_verified": True,
        "proposals": 50,
    },
)
shape(
    "csv for learning",
    "title,isHourlyPayment,hourlyRangeMin,hourlyRangeMax,budget,clientTotalCharge,"
    "clientTotalJobsPosted,clientTotalHires,clientScore,clientMemberSince,workload,duration,"
    "country,category,proposalsCount,publishedAt\n"
    "Paint,True,10,25,,4200.5,8,6,4.85,2015-02-01,30+ hrs/week,More than 6 months,India,Craft,17,"
    "2026-11-24 10:00:00+00:00\n"
    "Write,False,,,75,0,1,0,0,2026-11-01,,,India,Craft,0,2026-11-24T10:00:00\n",
    {
        "title": "Paint",
        "job_type": "hourly",
        "hourly_min": 10,
        "hourly_max": 25,
        "duration": "ongoing",
        "client_country": "IN",
        "client_spent": 4200.5,
        "client_hires": 6,
        "client_hire_rate": 75,
        "client_rating": 4.85,
        "proposals": 17,
        "posted_at": "2026-11-24T10:00:00Z",
    },
    {
        "title": "Write",
        "job_type": "fixed",
        "fixed_budget": 75,
        "client_country": "IN",
        "client_spent": 0,
        "client_hires": 0,
        "client_hire_rate": 0,
        "proposals": 0,
        "posted_at": "2026-11-24T10:00:00Z",
    },
)
shape(
    "a page's store in the page",
    "<!doctype html><html><head><title>Jobs</title></head><body><div id='__nuxt'></div>"
    '<script type="application/json" id="__NUXT_DATA__" data-ssr="true">'
    '[["ShallowReactive",1],{"data":2},{"jobs":3},[4],{"uid":5,"title":6,"type":7,"amount":8,'
    '"publishedOn":10},"1990000000000000123","Paint",1,{"amount":9},75,"2026-11-24T10:00:00Z"]'
    "</script></body></html>",
    {
        **UPWORK,
        "title": "Paint",
        "job_type": "fixed",
        "fixed_budget": 75,
        "currency": "USD",
        "posted_at": "2026-11-24T10:00:00Z",
    },
)
