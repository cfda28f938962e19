"""Labels of messages: summaries that hide what is before them, truncations, failures."""


def refs(found, session, *places):
    return [found.rows[session][at].ref for at in places]


def states(found, session):
    return [found.verdict(session, at).state for at in range(len(found.rows[session]))]


def a_condensed_task(task, **options):
    task.ask("first")
    task.reply("one")
    task.condense("## Conversation Summary\nall of it", **options)
    task.ask("second")
    return task


def test_a_summary_hides_what_is_labelled_with_its_id(home):
    a_condensed_task(home.task()).write()
    found = home.read()
    [event] = found.compactions
    assert (event.key, event.realisation, event.method, event.status) == (
        "c1",
        "in_place",
        "model",
        "committed",
    )
    assert (event.summary, event.tokens_before, event.tokens_after) == ("all of it", 90_000, 8_000)
    assert [event.span_first, event.span_last, event.handoff] == refs(found, "a", 0, 1, 2)
    assert (event.span_messages, event.head_messages, event.tail_messages) == (2, 0, 0)
    assert states(found, "a") == ["compacted", "compacted", None, None]
    assert [found.verdict("a", at).kind for at in range(1, 4)] == ["message", "handoff", "message"]


def test_the_next_one_takes_the_summary_along(home):
    task = a_condensed_task(home.task())
    task.condense("more", "c2")
    task.write()
    found = home.read()
    second = found.compactions[1]
    assert [second.span_first, second.span_last, second.span_messages] == [*refs(found, "a", 3, 3), 1]
    assert found.verdict("a", 2).archived_by == "c2"


def test_what_a_summary_that_is_gone_had_hidden_is_sent_again(home):
    task = a_condensed_task(home.task())
    del task.items[2]
    task.write()
    found = home.read()
    assert (found.compactions, states(found, "a")) == ([], [None] * 3)


def test_a_truncation_is_a_compaction_without_a_summary(home):
    task = home.task()
    for text in ("first", "second", "third"):
        task.ask(text)
    task.truncate(2)
    task.write()
    found = home.read()
    [event] = found.compactions
    assert (event.key, event.method, event.handoff, event.span_messages) == ("t1", "none", None, 2)
    assert states(found, "a") == ["compacted", "compacted", None, None]
    assert found.rows["a"][3].role == "session_meta"


def test_messages_after_a_summary_that_are_older_than_it_are_its_tail(home):
    task = home.task()
    for text in ("first", "second", "third"):
        task.ask(text)
    kept = task.items.pop()
    task.condense("all")
    task.items[-1]["ts"] = kept["ts"] - 1
    task.items.append(kept)
    task.screen[-1]["ts"] = kept["ts"] + 5
    task.ask("fourth")
    task.write()
    [event] = home.read().compactions
    assert (event.span_messages, event.tail_messages) == (2, 1)


def test_what_older_releases_deleted_is_no_longer_there(home):
    task = home.task()
    task.ask("first")
    task.ask("all of it", isSummary=True)
    task.write()
    found = home.read()
    [event] = found.compactions
    assert (event.span_stored, event.span_messages, event.method) == (False, None, "model")
    assert found.verdict("a", 0).state is None


def test_a_summary_that_hides_itself_hides_nothing(home):
    task = home.task()
    task.ask("all", isSummary=True, condenseId="c1", condenseParent="c1")
    task.write()
    assert states(home.read(), "a") == [None]


def test_a_compaction_that_failed_is_an_aborted_one(home):
    task = home.task()
    task.ask("first")
    task.tell("condense_context_error", text="no answer")
    task.write()
    [event] = home.read().compactions
    assert (event.status, event.error, event.span_messages) == ("aborted", "no answer", None)


def test_the_screen_may_tell_a_summary_without_its_id(home):
    task = a_condensed_task(home.task())
    del task.screen[0]["contextCondense"]["condenseId"]
    task.screen[0]["contextCondense"]["summary"] = "all of it"
    task.write()
    [event] = home.read().compactions
    assert event.tokens_before == 90_000


def test_thousands_of_compactions_are_read_in_time_that_grows_with_them(home):
    task = home.task()
    for at in range(1_500):
        task.items.append(
            {"role": "user", "content": "all", "ts": at + 1, "isSummary": True, "condenseId": f"c{at}"}
        )
        told = {"condenseId": f"c{at}", "summary": "all"}
        task.screen.append({"ts": 10**12, "say": "condense_context", "contextCondense": told})
    task.write()
    assert len(home.read().compactions) == 1_500
