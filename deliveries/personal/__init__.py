"""What is known of people: where it is kept, and all of it as one file.

Every column of every table is named, in `places` or in `not_personal`; a test fails when one is
missing.
"""
