// Comfort while reading: copying, and what was copied said aloud.
"use strict";

function announce(words) {
  const place = document.getElementById("announce");
  place.textContent = "";
  setTimeout(() => { place.textContent = words; }, 50);
}

// -- copying -----------------------------------------------------------------------------------

async function copyText(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // A viewer on another machine without TLS has no clipboard; the old way still works there.
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("the browser refused");
}

async function copyFrom(control, find) {
  const before = control.textContent;
  try {
    await copyText(await find());
    control.textContent = before ? "copied" : "✓";
    announce("Copied");
  } catch {
    control.textContent = before ? "not copied" : "✗";
    announce("The browser did not allow copying");
  }
  setTimeout(() => { control.textContent = before; }, 1500);
}

function addCopyButtons() {
  for (const block of document.querySelectorAll(".code-block:not([data-copies]), [data-copy]:not([data-copies])")) {
    block.dataset.copies = "";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = block.dataset.copy || "copy";
    const source = block.querySelector("code, pre") ?? block;
    button.addEventListener("click", () => copyFrom(button, () => source.textContent));
    if (block.matches(".code-block")) block.append(button);
    else block.after(button);
  }
}
addCopyButtons();
document.addEventListener("viewer:arrived", addCopyButtons);

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-copy-text]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  copyFrom(link, async () => {
    const response = await fetch(link.href, { credentials: "same-origin" });
    if (!response.ok) throw new Error(`answered ${response.status}`);
    return response.text();
  });
});

// -- tools -------------------------------------------------------------------------------------

const toolSwitch = document.querySelector('[data-action="tools"]');
let toolsOpen = new URLSearchParams(location.search).get("tools") === "open";
toolSwitch?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  toolsOpen = !toolsOpen;
  toolSwitch.textContent = toolsOpen ? "Close all tools" : "Open all tools";
  announce(toolsOpen ? "All tools are open" : "All tools are closed");
  keepPlace(() => { for (const one of document.querySelectorAll(".tool")) one.open = toolsOpen; });
});
document.addEventListener("viewer:arrived", () => {
  if (toolsOpen) for (const one of document.querySelectorAll(".tool:not([open])")) one.open = true;
});

// -- contents: beside the messages, around what is read ----------------------------------------

const contents = document.querySelector(".navigator details");
const contentsLinks = () => [...contents.querySelectorAll("li a")];

function openContents() {
  if (!contents) return;
  contents.open = true;
  const link = contents.querySelector("[aria-current]") ?? contentsLinks()[0];
  (link ?? contents.querySelector("summary")).focus();
}

/** Ask for the contents around a place, once more or anew; the same place is not asked for twice in a row. */
let contentsAt = "";
async function renewContents(place = readPlace()) {
  const box = contents?.querySelector(".contents");
  if (!box || !place) return;
  const url = new URL(contents.dataset.around, location.href);
  url.searchParams.set("at", place);
  const fresh = (await fetchPage(url.href)).querySelector(".contents");
  const top = box.scrollTop;
  box.replaceWith(fresh);
  fresh.scrollTop = top;
  arrived();
}

const readPlace = () => readItem("[data-place]")?.dataset.place;

function showPlace() {
  if (typeof transcript === "undefined") return; // a browser may scroll before the last script has run
  const links = contentsLinks();
  if (!links.length || !contents.open) return;
  let here = null;
  for (const one of transcript.querySelectorAll("[data-prompt], .separator[id]")) {
    if (one.closest(".delegate")) continue;
    if (here && one.getBoundingClientRect().top > 160) break;
    here = one;
  }
  // Near the end of the page what was asked for cannot come to the top.
  const aimed = transcript.querySelector(":is([data-prompt], .separator[id]):target");
  const atFoot = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  if (aimed && atFoot) here = aimed;
  if (!here) return;
  const path = here.id.startsWith("m-") ? `/m/${here.id.slice(2)}` : `/compactions/${here.id.slice(11)}/place`;
  const current = links.find((one) => one.pathname.endsWith(path));
  if (!current) {
    const place = readPlace();
    if (contents.querySelector(".more") && place !== contentsAt) {
      contentsAt = place;
      renewContents(place).catch(() => { contentsAt = ""; });
    }
    return;
  }
  if (current.hasAttribute("aria-current")) return;
  for (const one of links) one.removeAttribute("aria-current");
  current.setAttribute("aria-current", "location");
  const box = current.closest(".contents");
  box.scrollTop = Math.max(0, current.offsetTop - box.offsetTop - box.clientHeight / 2);
}

if (contents) {
  if (matchMedia("(min-width: 75rem)").matches) contents.open = true;
  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; showPlace(); });
  }, { passive: true });
  document.addEventListener("viewer:arrived", showPlace);
  contents.addEventListener("click", (event) => {
    const more = event.target.closest(".more a");
    const edge = more?.rel === "prev" ? contents.querySelector("li") : contents.querySelector("li:last-child");
    if (!more || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    renewContents(edge.dataset.place);
  });
  contents.addEventListener("keydown", (event) => {
    const links = contentsLinks();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      links[Math.min(links.length - 1, Math.max(0, links.indexOf(document.activeElement) + step))]?.focus();
    } else if (event.key === "Escape") document.getElementById("content").focus({ preventScroll: true });
  });
}

// -- paper -------------------------------------------------------------------------------------

let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll(".tool:not([open]), .handoff details:not([open])")];
  for (const one of opened) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of opened) one.open = false;
  opened = [];
});
