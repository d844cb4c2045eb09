"""The findings of a design as files for others: a spreadsheet, a page, a report for code scanners."""
