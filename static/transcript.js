// A conversation's messages: windows that come and go while one scrolls, its two ends, where one stopped reading.
"use strict";

const transcript = document.querySelector(".transcript");
const MOST_ELEMENTS = 1_800;
const END_PX = 40;

const windowsOf = () => [...transcript.querySelectorAll(":scope > .items")];
const edgeOf = (side) => transcript.querySelector(`:scope > nav.more:has([data-more="${side}"])`);
const atEnd = () => !edgeOf("next") && innerHeight + scrollY >= document.documentElement.scrollHeight - END_PX;
const atBeginning = () => !edgeOf("previous") && scrollY < END_PX;

// -- what is read stays in its place, whatever comes or goes around it --------------------------

const underHeads = 90;
const readItem = (selector = "[data-item]") => [...transcript.querySelectorAll(selector)].find((one) => {
  const { bottom, height } = one.getBoundingClientRect();
  return height && bottom > underHeads;
});

function keepPlace(change) {
  const read = readItem("[data-item], .day");
  const top = read?.getBoundingClientRect().top;
  change();
  if (!read?.isConnected) return;
  const moved = read.getBoundingClientRect().top - top;
  if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: "instant" });
}

// -- windows ------------------------------------------------------------------------------------

async function loadMore(nav) {
  if (nav.hasAttribute("aria-busy")) return;
  nav.setAttribute("aria-busy", "true");
  const link = nav.querySelector("a");
  const words = link.textContent;
  const side = link.dataset.more;
  link.textContent = "Loading…";
  try {
    const page = await fetchPage(part(link.href));
    if (!nav.isConnected) return;
    const items = page.querySelector(".items");
    remember([...items.children]);
    keepPlace(() => {
      if (side === "previous") nav.after(items);
      else nav.before(items);
      const next = page.querySelector(`[data-more="${side}"]`)?.closest("nav");
      if (next) nav.replaceWith(next);
      else nav.remove();
      if (items.parentElement === transcript) unloadFar(side === "previous" ? "next" : "previous");
    });
    arrived();
  } catch {
    nav.removeAttribute("aria-busy");
    watcher.unobserve(nav);
    link.textContent = words; // the plain link still works
    if (!nav.querySelector("[role=status]")) {
      const notice = document.createElement("p");
      notice.setAttribute("role", "status");
      notice.textContent = "These could not be loaded. Is the viewer still running? The link tries again.";
      nav.append(notice);
    }
  }
}

/** Take windows out at one side while the page holds more than it should and they are out of sight. */
function unloadFar(side) {
  const far = side === "next" ? windowsOf().reverse() : windowsOf();
  const gone = [];
  for (const one of far.slice(0, -1)) {
    const { top, bottom } = one.getBoundingClientRect();
    const near = bottom > -innerHeight && top < 2 * innerHeight;
    if (near || transcript.getElementsByTagName("*").length <= MOST_ELEMENTS) break;
    one.remove();
    gone.push(one);
  }
  if (!gone.length) return;
  edgeOf(side)?.remove();
  const outermost = windowsOf().at(side === "next" ? -1 : 0);
  const nav = moreLink(side, outermost.dataset[side]);
  if (side === "next") outermost.after(nav);
  else outermost.before(nav);
}

function moreLink(side, href) {
  const nav = document.createElement("nav");
  const link = document.createElement("a");
  nav.className = "more";
  link.textContent = side === "next" ? "Later messages" : "Earlier messages";
  nav.setAttribute("aria-label", link.textContent);
  link.href = href;
  link.dataset.more = side;
  nav.append(link);
  return nav;
}

/** Put another window in place of all that is here. */
async function showWindow(address) {
  const page = await fetchPage(part(address));
  remember([...page.querySelector(".items").children]);
  transcript.replaceChildren(transcript.querySelector("h2"), ...page.body.children);
  arrived();
}

const watcher = new IntersectionObserver((seen) => seen.forEach((one) => one.isIntersecting && loadMore(one.target)), { rootMargin: "700px" });
const watchEdges = () => transcript.querySelectorAll("nav.more").forEach((one) => watcher.observe(one));
document.addEventListener("viewer:arrived", watchEdges);

// -- the two ends -------------------------------------------------------------------------------

let following = false; // after a jump to the end: what is laid out late does not push the end away

function scrollToEnd() {
  following = true;
  scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
}

const lastItem = () => [...transcript.querySelectorAll(":scope > .items > [data-item]")].at(-1);

async function goLatest() {
  try {
    if (edgeOf("next")) await showWindow(transcript.dataset.latest);
  } catch {
    location.assign(transcript.dataset.latest);
    return;
  }
  mark(lastItem());
  scrollToEnd();
}

async function goFirst() {
  try {
    if (edgeOf("previous")) await showWindow(transcript.dataset.first);
  } catch {
    location.assign(transcript.dataset.first);
    return;
  }
  mark(transcript.querySelector("[data-item]"));
  scrollTo({ top: 0, behavior: "instant" });
}

function goPrompt(side, place) {
  location.assign(`${transcript.dataset.prompts}?${side}=${place}`);
}

new ResizeObserver(() => { if (following) scrollToEnd(); }).observe(transcript);
for (const name of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(name, () => { following = false; }, { passive: true, capture: true });

const jumps = { first: [goFirst, atBeginning], latest: [goLatest, atEnd] };
for (const [name, [go]] of Object.entries(jumps)) {
  actions[name] = go;
  document.querySelector(`.jumps [data-action="${name}"]`).addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go();
  });
}
function showJumps() {
  for (const [name, [, there]] of Object.entries(jumps)) document.querySelector(`.jumps [data-action="${name}"]`).hidden = there();
}

// -- where one stopped reading: kept in this browser --------------------------------------------

const MOST_KEPT = 200;
const isWhole = !/[?&]view=/.test(location.search);

function keptPlaces() {
  try {
    return new Map(JSON.parse(localStorage.stoppedReading ?? "[]"));
  } catch { return new Map(); }
}

function keepReading() {
  if (!isWhole) return;
  const places = keptPlaces();
  places.delete(location.pathname);
  const read = readItem("[data-place]");
  if (read && !atEnd()) places.set(location.pathname, [read.dataset.place, Math.round(read.getBoundingClientRect().top)]);
  try {
    localStorage.stoppedReading = JSON.stringify([...places].slice(-MOST_KEPT));
  } catch { /* a browser that keeps nothing opens at the latest message */ }
}

async function goOnReading([place, top]) {
  const find = () => transcript.querySelector(`[data-place="${CSS.escape(place)}"]`);
  if (!find()) {
    const address = new URL(transcript.dataset.first, location.href);
    address.searchParams.set("at", place);
    await showWindow(address.href);
  }
  const read = find();
  if (!read) throw new Error("that message is gone");
  scrollBy({ top: read.getBoundingClientRect().top - top, behavior: "instant" });
}

// -- opening: a message's address, where one stopped reading, else the latest -------------------

const asked = new URLSearchParams(location.search);
const hasPlace = ["at", "before", "after"].some((name) => asked.has(name));

/** Return the address of what a fragment names, where that is not on this page. */
function addressOf(fragment) {
  const [, message] = fragment.match(/^#m-(\d+)/) ?? [];
  const [, caller, call] = fragment.match(/^#call-(\d+)-(\d+)$/) ?? [];
  const [, compaction] = fragment.match(/^#compaction-(\d+)$/) ?? [];
  if (compaction) return transcript.dataset.compactions.replace("/0/", `/${compaction}/`);
  if (message ?? caller) return transcript.dataset.messages.replace(/0$/, message ?? caller) + (call ? `?call=${call}` : "");
  return null;
}

function openFragment() {
  if (location.hash === "#latest") goLatest();
  else if (!hasPlace && !document.getElementById(location.hash.slice(1))) {
    const elsewhere = addressOf(location.hash);
    if (elsewhere) location.replace(elsewhere);
  }
}

async function open() {
  if (location.hash.length > 1) openFragment();
  else if (isWhole ? !hasPlace : /view=talk/.test(location.search) && !hasPlace) {
    const kept = isWhole && !asked.has("q") ? keptPlaces().get(location.pathname) : null;
    try {
      if (kept) await goOnReading(kept);
      else scrollToEnd();
    } catch { scrollToEnd(); }
  }
  watchEdges();
  showJumps();
}

history.scrollRestoration = "manual";
addEventListener("hashchange", openFragment);
let touched = false;
let keeping = 0;
for (const name of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(name, () => { touched = true; }, { passive: true, once: true });
addEventListener("scroll", () => {
  showJumps();
  if (following && !atEnd()) following = false;
  clearTimeout(keeping);
  if (touched) keeping = setTimeout(keepReading, 300);
}, { passive: true });
addEventListener("pagehide", () => { if (touched) keepReading(); });
document.addEventListener("viewer:arrived", showJumps);
open();

// -- find ---------------------------------------------------------------------------------------

// The browser finds in what is on the page; where that is not all, the page's own search takes the key.
addEventListener("keydown", (event) => {
  const field = document.querySelector('[data-action="find"]');
  const wanted = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "f";
  if (!wanted || document.activeElement === field || !(edgeOf("previous") || edgeOf("next"))) return;
  event.preventDefault();
  field.closest("details").open = true;
  field.focus();
  field.select();
});
