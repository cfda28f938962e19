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

// -- more messages on scroll ------------------------------------------------------------------

async function loadMore(nav) {
  if (nav.hasAttribute("aria-busy")) return;
  nav.setAttribute("aria-busy", "true");
  const link = nav.querySelector("a");
  const words = link.textContent;
  link.textContent = "Loading…";
  try {
    const page = await fetchPage(part(link.href));
    const earlier = link.dataset.more === "previous";
    const items = page.querySelector(".items");
    const next = page.querySelector(`[data-more="${link.dataset.more}"]`)?.closest("nav");
    const height = document.documentElement.scrollHeight;
    if (earlier) nav.after(...items.childNodes);
    else nav.before(...items.childNodes);
    if (next) {
      nav.replaceWith(next);
      watch(next);
    } else nav.remove();
    // Where the browser does not anchor the scroll itself, keep what is read in its place.
    if (earlier && !CSS.supports("overflow-anchor", "auto")) scrollBy(0, document.documentElement.scrollHeight - height);
    arrived();
  } catch {
    nav.removeAttribute("aria-busy");
    watcher?.unobserve(nav);
    link.textContent = words; // the plain link still works
    if (!nav.querySelector("[role=status]")) {
      const notice = document.createElement("p");
      notice.setAttribute("role", "status");
      notice.textContent = "These could not be loaded. Is the viewer still running? The link tries again.";
      nav.append(notice);
    }
  }
}

const watcher = "IntersectionObserver" in window
  ? new IntersectionObserver((seen) => seen.forEach((one) => one.isIntersecting && loadMore(one.target)), { rootMargin: "600px" })
  : null;
let scrolled = false;
const watch = (nav) => {
  // Earlier messages wait for a scroll, so that opening a page in the middle stays there.
  if (nav.querySelector('[data-more="previous"]') && !scrolled) return;
  watcher?.observe(nav);
};
document.querySelectorAll("nav.more").forEach(watch);
addEventListener("wheel", startEarlier, { passive: true });
addEventListener("touchmove", startEarlier, { passive: true });
addEventListener("keydown", (event) => { if (["PageUp", "ArrowUp", "Home"].includes(event.key)) startEarlier(); });
function startEarlier() {
  if (scrolled) return;
  scrolled = true;
  document.querySelectorAll("nav.more").forEach(watch);
}

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
    fold.append((await fetchPage(url)).querySelector(".items"));
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
  if (target) reveal(target);
};
addEventListener("hashchange", openTarget);
openTarget();

function mark(item) {
  document.querySelector(".current")?.classList.remove("current");
  if (!item) return;
  item.classList.add("current");
  item.scrollIntoView({ block: "nearest" });
  // Enter then opens what stands there: a conversation, a session, or what is folded.
  const focus = item.querySelector(".conversation-link, .hit-link, .session-name a, td a, .offshoot a, summary");
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
    } catch { clearInterval(poll); }
  }, 2500);
}
