"""Categories of work as marketplaces and people name them, to one of `vocabulary.CATEGORIES`.

The sub-categories and specialities are Upwork's (its public category pages), with the names that
other marketplaces and people use for the same work.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from accounts.vocabulary import CATEGORIES

_NAMES: Final = {
    "accounting_consulting": (
        "accounting;consulting;finance;bookkeeping;accounting and bookkeeping;financial planning;"
        "finance and accounting;tax preparation;recruiting and human resources;human resources;"
        "recruiting;management consulting;management consulting and analysis;business consulting;"
        "personal and professional coaching;business analysis and strategy;coaching;"
        "other accounting and consulting;business;business accounting human resources and legal;"
        "finance and management"
    ),
    "admin_support": (
        "admin;administration;administrative support;data entry;virtual assistance;"
        "virtual assistant;data entry and transcription services;data entry and admin;"
        "transcription;project management;market research and product reviews;market research;"
        "web research;general virtual assistance;executive virtual assistance;personal assistant"
    ),
    "customer_service": (
        "customer support;customer service and tech support;customer support and service;"
        "community management and tagging;community management;tech support;technical support;"
        "content moderation;email phone and chat support"
    ),
    "data_science_analytics": (
        "data science;data analytics;data analysis;data analysis and testing;analytics;"
        "data extraction etl;data extraction;data mining and management;data mining;"
        "data visualization;machine learning;ai and machine learning;artificial intelligence;"
        "deep learning;data engineering;data processing;experimentation and testing;"
        "quantitative analysis;a b testing"
    ),
    "design_creative": (
        "design;creative;design and multimedia;design media and architecture;graphic design;"
        "art and illustration;illustration;audio and music production;audio production;"
        "branding and logo design;logo design;logo design and branding;nft ar vr and game art;"
        "graphic editorial and presentation design;presentation design;performing arts;"
        "voice talent;voice over;photography;product design;video and animation;video editing;"
        "video production;animation;3d animation;2d animation;motion graphics;fashion design;"
        "other design and creative;design photography and audio"
    ),
    "engineering_architecture": (
        "engineering;architecture;building and landscape architecture;chemical engineering;"
        "civil and structural engineering;civil engineering;structural engineering;"
        "contract manufacturing;electrical and electronic engineering;electrical engineering;"
        "electronic engineering;interior and trade show design;interior design;"
        "energy and mechanical engineering;mechanical engineering;physical sciences;"
        "3d modeling and cad;3d modeling;cad;product manufacturing and sourcing;"
        "engineering and science;engineering and manufacturing;engineering architecture and design"
    ),
    "it_networking": (
        "it;networking;it and programming support;information technology;"
        "database management and administration;database administration;erp crm software;"
        "information security and compliance;information security;cybersecurity;"
        "network and system administration;network administration;system administration;"
        "systems administration;devops;devops and solution architecture;solutions architecture;"
        "cloud engineering"
    ),
    "legal": (
        "law;legal services;corporate and contract law;contract law;corporate law;"
        "international and immigration law;immigration law;finance and tax law;tax law;"
        "public law;intellectual property law;paralegal services;paralegal"
    ),
    "sales_marketing": (
        "sales;marketing;digital marketing;lead generation;telemarketing;"
        "lead generation and telemarketing;marketing pr and brand strategy;public relations;"
        "seo;search engine optimization;search engine marketing;social media marketing;"
        "email marketing;email and marketing automation;marketing automation;"
        "marketing strategy;social media management;advertising;sales and business development;"
        "digital marketing and sales;e mail marketing"
    ),
    "translation": (
        "translations;translating;translation and languages;translation and localization services;"
        "translation and localization;localization;general translation;"
        "general translation services;"
        "technical translation;technical translation services;legal translation;"
        "legal document translation;medical translation;language tutoring and interpretation;"
        "language tutoring;interpretation;interpreting;translation and interpretation"
    ),
    "web_mobile_software_dev": (
        "web;software;programming;development;software development;web development;"
        "web mobile and software development;web and mobile development;mobile development;"
        "mobile app development;app development;it and programming;programming and tech;"
        "websites it and software;development and it;web programming;web design;"
        "web and mobile design;web and mobile programming;blockchain nft and cryptocurrency;"
        "blockchain;ai apps and integration;ai integration;desktop application development;"
        "desktop software development;ecommerce development;e commerce development;"
        "ecommerce website development;game design and development;game development;"
        "other software development;product management and scrum;product management;scrum;"
        "qa testing;qa and testing;quality assurance;scripts and utilities;scripting;"
        "scripting and automation;full stack development;front end development;"
        "back end development;ux ui design;user experience design;cms development;"
        "websites and apps;programming websites and apps;software dev"
    ),
    "writing": (
        "content writing;copywriting;writing and translation;writing and content;"
        "sales and marketing copywriting;editing and proofreading services;"
        "editing and proofreading;proofreading;editing;professional and business writing;"
        "technical writing;creative writing;article and blog writing;blog writing;ghostwriting;"
        "grant writing;academic writing;article writing;resume writing;other writing"
    ),
}
_LONGEST: Final = 120


@lru_cache(maxsize=4096)
def category_slug(raw: str) -> str | None:
    """The slug of the category that a name, a sub-category's name or a slug means, else None.

    Case, punctuation, "&" and a leading path ("IT > DevOps": the last part that is known counts)
    do not matter.  Every slug is given back unchanged.  Never raises.
    """
    if len(raw) > _LONGEST:
        return None
    known = _table()
    parts = [raw, *reversed(re.split(r"[>|»/]", raw))]
    return next((known[key] for part in parts if (key := _key(part)) in known), None)


def category_label(slug: str) -> str:
    """The name of a category; an unknown slug comes back as it is."""
    return CATEGORIES.get(slug, slug)


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for slug, label in CATEGORIES.items():
        for name in (slug, label, *_NAMES[slug].split(";")):
            table.setdefault(_key(name), slug)
    return table


def _key(name: str) -> str:
    """The words of a name, without case, accents and punctuation; "and" where "&" stands."""
    plain = unicodedata.normalize("NFKD", name.casefold()).replace("&", " and ")
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(re.findall(r"[^\W_]+", kept))
