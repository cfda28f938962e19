// Comfort on top of pages that work without it: loading on scroll, unfolding in place, import progress.
// Whoever adds elements to a page says so with arrived(), and the other files see to them.
"use strict";

const arrived = () => document.dispatchEvent(new Event("viewer:arrived"));

const part = (url) => {
  const asked = new URL(url, location.href);
  asked.searchParams.set("part", "1");
  // What a search looked for stays marked in what arrives.
  const query = new URL(location.href).searchParams.get("q");
  if (query && !asked.searchParams.has("q")) asked.searchParams.set("q", query);
  asked.hash = "";
  return asked.href;
};

// `cursor` is the change that the page was told of: what is fetched holds it, whichever copy of the store it comes from.
async function fetchPage(url, cursor = 0) {
  const headers = cursor ? { "X-Hermes-Sessions-Cursor": String(cursor) } : {};
  const response = await fetch(url, { credentials: "same-origin", headers });
  if (!response.ok || response.redirected) throw new Error(`answered ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

// -- tabs that do not fit: the one that is shown is in sight --------------------------------------

for (const current of document.querySelectorAll(".tabs [aria-current]")) {
  const tabs = current.parentElement;
  tabs.scrollLeft = current.offsetLeft + current.offsetWidth / 2 - tabs.offsetLeft - tabs.clientWidth / 2;
}

// -- what the server wrote, to see later whether it would still write the same -------------------

const asSent = new WeakMap(); // element -> its HTML as the server wrote it, without what differs each time
const steady = (html) => html.replace(/(name="proof" value=")[^"]*/g, "$1").replace(/(<time[^>]*>)[^<]*/g, "$1");
const remember = (elements) => elements.forEach((one) => asSent.set(one, steady(one.outerHTML)));

// -- show all, unfold, links to messages on this page ------------------------------------------

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if ("showAll" in link.dataset) {
    const target = link.closest('[id^="m-"]');
    if (!target) return;
    event.preventDefault();
    try {
      const found = (await fetchPage(part(link.href))).getElementById(target.id);
      if (!found) throw new Error("not on that page");
      found.querySelectorAll("details").forEach((one) => { one.open = true; });
      if (target.classList.contains("tool-result")) {
        const body = found.querySelector("details");
        body.querySelector("summary").remove();
        target.replaceChildren(...body.childNodes);
      } else target.replaceWith(found);
      arrived();
    } catch { location.assign(link.href); }
    return;
  }
  const target = new URL(link.href, location.href);
  const message = target.pathname.match(/\/m\/(\d+)$/);
  const call = target.searchParams.get("call");
  const compaction = target.pathname.match(/\/compactions\/(\d+)\/place$/);
  const id = compaction ? `compaction-${compaction[1]}` : message && (call === null ? `m-${message[1]}` : `call-${message[1]}-${call}`);
  const here = id && document.getElementById(id);
  if (here && (call !== null || !here.contains(link))) {
    event.preventDefault();
    history.pushState(null, "", `#${id}`);
    reveal(here);
  }
});

document.addEventListener("toggle", async (event) => {
  const fold = event.target;
  if (!fold.open || !fold.dataset?.fold) return;
  const url = fold.dataset.fold;
  delete fold.dataset.fold;
  try {
    const page = await fetchPage(url);
    remember([...page.querySelectorAll(".items > *")]);
    fold.append(...page.body.children);
    arrived();
  } catch { /* the link inside shows the same rows */ }
}, true);

function reveal(element) {
  for (let one = element.closest("details"); one; one = one.parentElement?.closest("details")) one.open = true;
  element.scrollIntoView({ block: "start" });
  mark(element.closest("[data-item]") ?? element);
}
const openTarget = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.id !== "latest") reveal(target);
};
addEventListener("hashchange", openTarget);
openTarget();

function mark(item) {
  const before = document.querySelector(".current");
  before?.classList.remove("current");
  before?.removeAttribute("aria-current");
  if (!item) return;
  item.classList.add("current");
  item.setAttribute("aria-current", "true");
  item.scrollIntoView({ block: "nearest" });
  // Enter then opens what stands there: a conversation, a session, or what is folded.
  const talk = item.matches(".message:not(.silent, .tool-only)");
  const focus = talk ? null : item.querySelector(".conversation-link, .row-door, .hit-link, .session-name a, td a, .offshoot a, .separator-link, summary");
  if (!focus) item.tabIndex = -1;
  (focus ?? item).focus({ preventScroll: true });
}

// -- import progress ---------------------------------------------------------------------------

const importing = document.querySelector("[data-poll]");
if (importing) {
  const poll = setInterval(async () => {
    try {
      const { origins } = await (await fetch(importing.dataset.poll, { credentials: "same-origin" })).json();
      const page = await fetchPage(location.href);
      const fresh = page.querySelector(".importing");
      if (fresh) importing.replaceChildren(...fresh.childNodes);
      else importing.remove();
      const list = page.querySelector(".list-page main");
      if (list && scrollY < 300 && !document.querySelector("main :focus, main .current")) {
        document.querySelector("main").replaceChildren(...list.childNodes);
        arrived();
      }
      if (!origins.some((one) => one.first && one.phase === "importing")) clearInterval(poll);
    } catch { /* The server is busy or away for a moment: the next turn asks again. */ }
  }, 2500);
}
