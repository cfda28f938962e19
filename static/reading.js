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
    control.textContent = "copied";
    announce("Copied");
  } catch {
    control.textContent = "not copied";
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
    button.textContent = "copy";
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
  // What is read stays where it is, however much opens above it.
  const read = [...document.querySelectorAll(".message")].find((one) => one.getBoundingClientRect().bottom > 80);
  const top = read?.getBoundingClientRect().top;
  for (const one of document.querySelectorAll(".tool")) one.open = toolsOpen;
  if (read) scrollBy(0, read.getBoundingClientRect().top - top);
});
document.addEventListener("viewer:arrived", () => {
  if (toolsOpen) for (const one of document.querySelectorAll(".tool:not([open])")) one.open = true;
});

// -- contents ----------------------------------------------------------------------------------

const contents = document.querySelector(".navigator details");

function openContents() {
  if (!contents) return;
  contents.open = true;
  const link = contents.querySelector(".contents [aria-current], .contents a");
  if (link) link.focus();
  else contents.querySelector("summary").focus();
}

function showPlace() {
  const links = contents.querySelectorAll(".contents a");
  if (!links.length || !contents.open) return;
  let here = null;
  for (const one of document.querySelectorAll(".transcript [data-prompt], .transcript .separator[id]")) {
    if (one.getBoundingClientRect().top > 160) break;
    here = one.id;
  }
  const path = here?.startsWith("m-") ? `/m/${here.slice(2)}` : `/compactions/${here?.slice(11)}/place`;
  for (const link of links) {
    if (here && link.pathname.endsWith(path)) {
      if (link.hasAttribute("aria-current")) return;
      link.setAttribute("aria-current", "location");
      const box = link.closest(".contents");
      box.scrollTop = Math.max(0, link.offsetTop - box.offsetTop - box.clientHeight / 2);
    } else link.removeAttribute("aria-current");
  }
}

if (contents) {
  if ("wide" in contents.dataset && matchMedia("(min-width: 90rem)").matches) contents.open = true;
  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; showPlace(); });
  }, { passive: true });
  document.addEventListener("viewer:arrived", showPlace);
  contents.addEventListener("keydown", (event) => {
    const links = [...contents.querySelectorAll(".contents a")];
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
