"""What is new among findings."""

from designer.validation.findings import Finding, Report, Severity
from designer.validation.news import News


def finding(code, *subjects, value=None, aspect=""):
    return Finding(code, Severity.ERROR, "", subjects, value=value, aspect=aspect)


def report(*findings):
    return Report(findings, ())


def test_another_finding_about_a_device_came_of_the_edit_and_a_figure_did_not():
    news = News()
    news.take(report(finding("PORT-001", "d1", "l1", value=1)))
    news.edit_comes()
    worse, other = finding("PORT-001", "d1", "l1", value=2), finding("PORT-001", "d1", "l2")
    news.take(report(worse, other))
    assert news.is_caused(other) and not news.is_caused(worse) and not news.cured


def test_a_finding_that_grew_or_shrank_neither_came_nor_went():
    news = News()
    news.take(report(finding("REACH-001", "d1", "d2")))
    news.edit_comes()
    for subjects in (("d1", "d2", "d3"), ("d1",)):
        grown = finding("REACH-001", *subjects)
        news.take(report(grown))
        assert not news.is_caused(grown) and not news.cured
    news.take(report(finding("REACH-001", "d9")))
    assert news.cured == (finding("REACH-001", "d1", "d2"),)


def test_findings_of_another_network_are_others():
    news = News()
    news.take(report(finding("NET-002", "d1", aspect="storage")))
    news.edit_comes()
    news.take(report(finding("NET-002", "d1", aspect="oob")))
    assert news.is_caused(finding("NET-002", "d1", aspect="oob")) and len(news.cured) == 1


def test_nothing_is_new_where_what_was_saved_is_not_known():
    news = News()
    news.take(report(finding("A-001", "d1")))
    assert not news.is_new(finding("A-001", "d2"))
    news.note_saved(is_known=True)
    assert news.is_new(finding("A-001", "d2")) and not news.is_new(finding("A-001", "d1"))
    news.note_saved(is_known=False)
    assert not news.is_new(finding("A-001", "d2"))
