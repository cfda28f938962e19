// Pages that grow by themselves: what is new is fetched as a piece of the page it belongs to and put
// in its place. Nothing moves under a reader: who is not at the end is told, and goes there by a click.
"use strict";

(() => {
  const config = document.querySelector("[data-live]")?.dataset;
  if (!config) return;
  const NEAR_PX = 160;
  const LIST_PAUSE_MS = 1_200;
  const HEAD_PAUSE_MS = 1_000;
  const AGAIN_MS = 2_000;
  const TRIES = 5;
  const key = Number(config.conversation);
  let cursor = Number(config.cursor);
  let compactions = Number(config.compactions);

  // -- the line at the edge of the page: what happened, and a way there ---------------------------

  const bar = document.createElement("div");
  bar.className = "live-bar";
  bar.hidden = true;
  document.body.append(bar);
  const notices = new Map();

  function notice(name, words, go) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", () => { forget(name); go(); });
    notices.set(name, button);
    showNotices();
    announce(words);
  }

  function forget(name) {
    notices.delete(name);
    showNotices();
  }

  function showNotices() {
    bar.replaceChildren(...notices.values());
    bar.hidden = notices.size === 0;
  }

  const counted = (count, one) => `${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}`;

  // -- putting fetched elements in place of those that are there ----------------------------------

  const nameOf = (one) => one.id || asSent.get(one);
  const byName = (elements) => new Map(elements.map((one) => [nameOf(one), one]));

  // Return `fresh` with every element that did not change taken from the page: open folds stay open.
  function settle(fresh, known) {
    remember(fresh);
    return fresh.map((one) => {
      const old = known.get(nameOf(one));
      if (!old) return one;
      if (asSent.get(old) === asSent.get(one)) return old;
      const [before, after] = [old, one].map((each) => [...each.querySelectorAll("details")]);
      if (old.matches("details")) one.open = old.open;
      if (before.length === after.length) after.forEach((each, at) => { each.open = before[at].open; });
      return one;
    });
  }

  // Put elements into a box in their order; those that are there already are not touched.
  function fill(box, elements) {
    const kept = new Set(elements);
    [...box.children].forEach((one) => { if (!kept.has(one)) one.remove(); });
    let at = box.firstElementChild;
    for (const one of elements) {
      if (one === at) at = at.nextElementSibling;
      else box.insertBefore(one, at);
    }
  }

  // One call at a time, the last one never lost; hidden pages wait until they are looked at.
  function soon(work, pause = 0) {
    let running = false;
    let wanted = false;
    let failed = 0;
    const run = async () => {
      if (running || document.hidden) { wanted = true; return; }
      running = true;
      do {
        wanted = false;
        try {
          await work();
          failed = 0;
        } catch { // a server that is busy or begins anew: no other change may come to try again
          failed += 1;
          wanted = wanted || failed % TRIES !== 0;
          await new Promise((done) => { setTimeout(done, AGAIN_MS); });
        }
        if (pause) await new Promise((done) => { setTimeout(done, pause); });
      } while (wanted && !document.hidden);
      running = false;
    };
    document.addEventListener("visibilitychange", () => { if (wanted) run(); });
    return run;
  }

  // -- a conversation -----------------------------------------------------------------------------

  // The last window is asked for again: what it ended with may have gone on, a call may have its result.
  const grow = soon(async () => {
    if (edgeOf("next")) {
      notice("news", "New messages at the end", goLatest);
      return;
    }
    const last = windowsOf().at(-1);
    const url = new URL(location.href);
    for (const name of ["at", "before", "after"]) url.searchParams.delete(name);
    if (last?.dataset.after) url.searchParams.set("after", last.dataset.after);
    else if (!/view=(model|session)/.test(url.search)) url.searchParams.set("at", "0.0");
    const page = await fetchPage(part(url.href), cursor);
    place(page, last);
  });

  function place(page, last) {
    const stay = atEnd();
    const box = page.querySelector(".items");
    if (!last) {
      remember([...box.children]);
      transcript.replaceChildren(transcript.querySelector("h2"), ...page.body.children);
      arrived();
      return;
    }
    const known = byName([...last.children]);
    const fresh = settle([...box.children], known);
    const added = fresh.filter((one) => one.id && !known.has(one.id));
    keepPlace(() => {
      fill(last, fresh);
      last.dataset.next = box.dataset.next;
      const next = page.querySelector('[data-more="next"]')?.closest("nav");
      if (next) last.after(next);
    });
    arrived();
    tell(added, stay);
    if (added.some((one) => one.matches(".separator, [data-prompt]"))) renewContents();
  }

  // A delegate that is open in its place goes on like a conversation of its own.
  const delegates = new WeakMap();

  function growDelegate(fold, row) {
    const count = fold.querySelector(":scope > summary [data-count]");
    if (row && count) count.textContent = counted(row.messages, "message");
    if (!delegates.has(fold)) delegates.set(fold, soon(() => fetchDelegate(fold)));
    if (!fold.dataset.fold) delegates.get(fold)();
  }

  async function fetchDelegate(fold) {
    const last = [...fold.querySelectorAll(":scope > .items")].at(-1);
    if (!last || fold.querySelector(':scope > nav.more [data-more="next"]')) return;
    const url = new URL(fold.dataset.window, location.href);
    if (last.dataset.after) {
      url.searchParams.delete("at");
      url.searchParams.set("after", last.dataset.after);
    }
    const page = await fetchPage(url.href, cursor);
    const stay = atEnd();
    const fresh = settle([...page.querySelector(".items").children], byName([...last.children]));
    keepPlace(() => {
      fill(last, fresh);
      last.dataset.next = page.querySelector(".items").dataset.next;
      const next = page.querySelector('[data-more="next"]')?.closest("nav");
      if (next) last.after(next);
    });
    arrived();
    if (stay) scrollToEnd();
  }

  function tell(added, stay) {
    const compacted = added.filter((one) => one.matches(".separator[id^=compaction-]"));
    const messages = added.filter((one) => one.matches(".message"));
    if (stay) scrollToEnd();
    else if (messages.length) notice("news", counted(messages.length, "new message"), () => messages[0].scrollIntoView({ block: "start" }));
    for (const one of compacted.slice(-1)) {
      notice("compaction", `${one.querySelector("h2")?.textContent ?? "A compaction"} just happened`, () => one.scrollIntoView({ block: "start" }));
    }
    if (stay && messages.length && !compacted.length) announce(counted(messages.length, "new message"));
  }

  if (key) addEventListener("scroll", () => { if (notices.has("news") && atEnd()) forget("news"); }, { passive: true });

  const renewHead = soon(async () => {
    const url = new URL(location.href);
    url.searchParams.set("part", "head");
    const lines = (await fetchPage(url.href, cursor)).getElementById("head-lines");
    document.getElementById("head-lines").replaceWith(lines);
    arrived();
  }, HEAD_PAUSE_MS);

  const goCompaction = async () => {
    await goLatest();
    [...transcript.querySelectorAll(".separator[id^=compaction-]")].at(-1)?.scrollIntoView({ block: "start" });
  };

  function conversationChanged(row) {
    if (row && row.compactions > compactions) {
      compactions = row.compactions;
      if (location.search.includes("view=model")) { // everything the model sees is another thing now
        notice("compaction", "A compaction just happened: show what the model sees now", () => location.reload());
        return;
      }
      if (edgeOf("next")) { // the end is not on this page
        notice("compaction", `Compaction ${compactions} just happened`, goCompaction);
        renewContents();
      }
    }
    if (row?.worst_finding && row.worst_finding !== config.worst && ["warning", "error"].includes(row.worst_finding)) {
      config.worst = row.worst_finding;
      notice("finding", `The audit has a new finding: ${row.worst_finding}`, () => location.assign(config.findings));
    }
    grow();
    renewHead();
  }

  // -- the list -----------------------------------------------------------------------------------

  const list = () => document.querySelector("[data-list]");
  const activity = (row) => row.querySelector("time[datetime]")?.dateTime ?? "";
  let newest = "";

  function busy(place) {
    return scrollY > NEAR_PX || place.contains(document.activeElement) || place.querySelector(".current, .pick:checked");
  }

  const refresh = soon(async () => {
    const page = await fetchPage(location.href, cursor);
    const fresh = page.querySelector("[data-list]");
    const here = list();
    if (!fresh || !here) {
      const main = document.querySelector("main");
      if (!fresh === !here || busy(main)) return;
      main.replaceChildren(...page.querySelector("main").childNodes);
      start();
      arrived();
      return;
    }
    const known = byName([...here.children]);
    const rows = settle([...fresh.children], known);
    const show = () => {
      list().replaceChildren(...rows);
      start();
      arrived();
    };
    const arrivals = rows.filter((row) => "item" in row.dataset && (!known.has(row.id) || activity(row) > newest)).length;
    if (!busy(here)) {
      forget("news");
      show();
    } else if (arrivals) {
      notice("news", `${arrivals} new`, () => { show(); scrollTo(0, 0); });
    }
  }, LIST_PAUSE_MS);

  function start() {
    const rows = [...(list()?.children ?? [])];
    newest = rows.map(activity).reduce((left, right) => (left > right ? left : right), "");
  }

  // -- the source ---------------------------------------------------------------------------------

  function changed(data) {
    cursor = data.cursor;
    if (!key) refresh();
    else {
      const row = data.conversations.find((one) => one.key === key);
      if (row || data.more) conversationChanged(row);
      for (const fold of document.querySelectorAll(".delegate[data-conversation]")) {
        const own = data.conversations.find((one) => one.key === Number(fold.dataset.conversation));
        if (own || data.more) growDelegate(fold, own);
      }
    }
  }

  function hear({ data: message }) {
    if (message.kind === "state") document.documentElement.dataset.live = message.mode;
    else if (message.kind === "changed") changed(message.data);
    else if (message.cursor > cursor) changed({ cursor: message.cursor, more: true, conversations: [] });
  }

  function browserName() {
    const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (one) => one.toString(16).padStart(2, "0")).join("");
    try {
      if (!localStorage.liveBrowser) localStorage.liveBrowser = fresh();
      return localStorage.liveBrowser;
    } catch { return fresh(); }
  }

  const joining = () => ({ kind: "join", events: config.events, changes: config.changes, browser: browserName(), cursor });
  let leave = () => {};

  function join() {
    if (typeof SharedWorker === "undefined") {
      const own = new LiveSource(joining(), (data) => hear({ data }), false);
      leave = () => own.close();
      return;
    }
    const { port } = new SharedWorker(config.worker, { name: "hermes-sessions" });
    port.onmessage = hear;
    port.postMessage(joining());
    leave = () => port.postMessage({ kind: "leave" });
  }

  if (key) remember([...document.querySelectorAll(".transcript > .items > *")]);
  else {
    if (/[?&](before|after)=[^&]/.test(location.search)) return; // older pages stay as they are
    remember([...(list()?.children ?? [])]);
    start();
  }
  join();
  addEventListener("pagehide", () => leave());
  addEventListener("pageshow", ({ persisted }) => { if (persisted) join(); });
})();
