// Pages that grow by themselves: what is new is fetched as a piece of the page it belongs to and put
// in its place. Nothing moves under a reader: who is not at the end is told, and goes there by a click.
"use strict";

(() => {
  const config = document.querySelector("[data-live]")?.dataset;
  if (!config) return;
  const NEAR_PX = 160;
  const TAIL_PLACES = 12;
  const LIST_PAUSE_MS = 1_200;
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

  const source = new WeakMap(); // element -> its HTML as the server wrote it, without what differs each time
  const steady = (html) => html.replace(/(name="proof" value=")[^"]*/g, "$1").replace(/(<time[^>]*>)[^<]*/g, "$1");
  const remember = (elements) => elements.forEach((one) => source.set(one, steady(one.outerHTML)));

  // Return `fresh` with every element that did not change taken from the page: open folds stay open.
  function settle(fresh, known) {
    remember(fresh);
    return fresh.map((one) => {
      const old = one.id && known.get(one.id);
      if (!old) return one;
      if (source.get(old) === source.get(one)) return old;
      const [before, after] = [old, one].map((each) => [...each.querySelectorAll("details")]);
      if (old.matches("details")) one.open = old.open;
      if (before.length === after.length) after.forEach((each, at) => { each.open = before[at].open; });
      return one;
    });
  }

  const byId = (elements) => new Map(elements.filter((one) => one.id).map((one) => [one.id, one]));
  const atEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR_PX;

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

  const transcript = document.querySelector(".transcript");
  const items = () => [...transcript.children].flatMap((one) => (one.matches(".items") ? [...one.children] : [one]))
    .filter((one) => !one.matches("nav, .empty"));

  // The last place whose followers can still change: a call without its result, an undone message.
  function findAnchor(all) {
    const places = all.filter((one) => one.dataset.place);
    let at = Math.max(0, places.length - TAIL_PLACES);
    const open = places.findIndex((one, index) => index > places.length - 60 && one.querySelector("[data-pending]"));
    if (open >= 0) at = Math.min(at, Math.max(0, open - 1));
    const earlier = transcript.querySelector('[data-more="previous"]');
    return at === 0 && !earlier ? null : places[at];
  }

  const grow = soon(async () => {
    if (transcript.querySelector('[data-more="next"]')) {
      notice("news", "New messages at the end", () => location.assign(document.querySelector('[data-action="last"], .jumps a:last-child').href));
      return;
    }
    const all = items();
    const anchor = findAnchor(all);
    const url = new URL(location.href);
    for (const name of ["at", "before", "after"]) url.searchParams.delete(name);
    if (anchor) url.searchParams.set("after", anchor.dataset.place);
    const page = await fetchPage(part(url.href), cursor);
    const old = anchor ? all.slice(all.indexOf(anchor) + 1) : all;
    place(page, anchor, old);
  });

  function place(page, anchor, old) {
    const stay = atEnd();
    const known = byId(old);
    const days = anchor ? [...items().slice(0, items().indexOf(anchor) + 1)].filter((one) => one.matches(".day")) : [];
    let fresh = settle([...(page.querySelector(".items")?.children ?? [])], known);
    if (days.length && fresh[0]?.matches(".day") && sameDay(days.at(-1), fresh[0])) fresh = fresh.slice(1);
    const next = page.querySelector('[data-more="next"]')?.closest("nav");
    const added = fresh.filter((one) => one.id && !known.has(one.id));
    const kept = new Set(fresh);
    old.forEach((one) => { if (!kept.has(one)) one.remove(); });
    if (anchor) anchor.after(...fresh);
    else {
      const first = document.createElement("div");
      first.className = "items";
      first.append(...fresh);
      transcript.replaceChildren(first);
    }
    if (next) {
      transcript.append(next);
      watch(next);
    }
    arrived();
    tell(added, stay);
  }

  const sameDay = (...marks) => new Set(marks.map((one) => new Date(one.querySelector("time").dateTime).toDateString())).size === 1;

  function tell(added, stay) {
    const compacted = added.filter((one) => one.matches(".separator[id^=compaction-]"));
    const messages = added.filter((one) => one.matches(".message"));
    if (stay) scrollTo(0, document.documentElement.scrollHeight);
    else if (messages.length) notice("news", counted(messages.length, "new message"), () => messages[0].scrollIntoView({ block: "start" }));
    for (const one of compacted.slice(-1)) {
      notice("compaction", `${one.querySelector("strong")?.textContent ?? "A compaction"} just happened`, () => one.scrollIntoView({ block: "start" }));
    }
    if (stay && messages.length && !compacted.length) announce(counted(messages.length, "new message"));
  }

  addEventListener("scroll", () => { if (notices.has("news") && atEnd()) forget("news"); }, { passive: true });

  function conversationChanged(row) {
    const facts = document.querySelector('[data-count="messages"]');
    if (row && facts) facts.textContent = counted(row.messages, "message");
    if (row && row.compactions > compactions) {
      compactions = row.compactions;
      if (location.search.includes("view=model")) { // everything the model sees is another thing now
        notice("compaction", "A compaction just happened: show what the model sees now", () => location.reload());
        return;
      }
    }
    if (row?.worst_finding && row.worst_finding !== config.worst && ["warning", "error"].includes(row.worst_finding)) {
      config.worst = row.worst_finding;
      notice("finding", `The audit has a new finding: ${row.worst_finding}`, () => location.assign(config.findings));
    }
    grow();
  }

  // -- the list -----------------------------------------------------------------------------------

  const list = () => document.querySelector("ol.conversations");
  const activity = (row) => row.querySelector("time[datetime]")?.dateTime ?? "";
  let newest = "";

  function busy(place) {
    return scrollY > NEAR_PX || place.contains(document.activeElement) || place.querySelector(".current, :checked");
  }

  const refresh = soon(async () => {
    const page = await fetchPage(location.href, cursor);
    const fresh = page.querySelector("ol.conversations");
    const here = list();
    if (!fresh || !here) {
      const main = document.querySelector("main");
      if (!fresh === !here || busy(main)) return;
      main.replaceChildren(...page.querySelector("main").childNodes);
      start();
      arrived();
      return;
    }
    const known = byId([...here.children]);
    const rows = settle([...fresh.children], known);
    const show = () => {
      list().replaceChildren(...rows);
      start();
      arrived();
    };
    const arrivals = rows.filter((row) => !known.has(row.id) || activity(row) > newest).length;
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

  if (key) remember(items());
  else {
    if (/[?&](before|after)=[^&]/.test(location.search)) return; // older pages stay as they are
    remember([...(list()?.children ?? [])]);
    start();
  }
  join();
  addEventListener("pagehide", () => leave());
  addEventListener("pageshow", ({ persisted }) => { if (persisted) join(); });
})();
