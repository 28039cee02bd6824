"""The tables and figures of Wolverine2 section 7, from the records of a campaign."""
