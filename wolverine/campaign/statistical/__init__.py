"""Statistical localizers, as Wolverine2 section 7.1 (RQ4) compares with: tests, coverage, formulas."""
