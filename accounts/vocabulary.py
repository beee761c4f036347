"""The words a person may use to say what work they want, and their limits."""

from collections.abc import Mapping
from typing import Final, Literal

JobType = Literal["hourly", "fixed"]
Level = Literal["entry", "intermediate", "expert"]
Duration = Literal["week", "month", "quarter", "semester", "ongoing"]
Mode = Literal["instant", "daily"]

JOB_TYPES: Final[tuple[JobType, ...]] = ("hourly", "fixed")
LEVELS: Final[tuple[Level, ...]] = ("entry", "intermediate", "expert")
DURATIONS: Final[tuple[Duration, ...]] = ("week", "month", "quarter", "semester", "ongoing")
MODES: Final[tuple[Mode, ...]] = ("instant", "daily")

JOB_TYPE_LABELS: Final[Mapping[str, str]] = {
    "hourly": "paid by the hour",
    "fixed": "at a fixed price",
}
DURATION_LABELS: Final[Mapping[str, str]] = {
    "week": "less than a week",
    "month": "less than a month",
    "quarter": "1 to 3 months",
    "semester": "3 to 6 months",
    "ongoing": "more than 6 months",
}

# Slug -> label of the categories of work, Upwork's twelve (its search, November 2026).
CATEGORIES: Final[Mapping[str, str]] = {
    "accounting_consulting": "Accounting & Consulting",
    "admin_support": "Admin Support",
    "customer_service": "Customer Service",
    "data_science_analytics": "Data Science & Analytics",
    "design_creative": "Design & Creative",
    "engineering_architecture": "Engineering & Architecture",
    "it_networking": "IT & Networking",
    "legal": "Legal",
    "sales_marketing": "Sales & Marketing",
    "translation": "Translation",
    "web_mobile_software_dev": "Web, Mobile & Software Dev",
    "writing": "Writing",
}

# A search's filters that can be told to drop what a posting does not state.
STRICTABLE: Final = (
    "job_types",
    "min_hourly",
    "min_fixed",
    "experience_levels",
    "categories",
    "countries_include",
    "countries_exclude",
    "my_country",
    "languages",
    "min_client_spent",
    "min_client_hires",
    "min_client_hire_rate",
    "min_client_rating",
    "payment_verified_only",
    "max_proposals",
    "durations",
    "posted_within_hours",
)

MAX_SEARCHES: Final = 10
MAX_LIST: Final = 200
MAX_WORD: Final = 80
MAX_JOBS_A_DAY: Final = 200
DEFAULT_MIN_SCORE: Final = 70
