// Finding one's way: titles filtered as one types, orders chosen at once, the command palette.
// All of it is on the pages without script too: as forms, links and keys.
"use strict";

document.documentElement.classList.add("scripted");

// -- titles --------------------------------------------------------------------------------------

document.addEventListener("input", (event) => { if (event.target.matches?.("[data-titles]")) showTitles(); });
document.addEventListener("viewer:arrived", () => showTitles());

function showTitles() {
  const field = document.querySelector("[data-titles]");
  if (!field || field.value === field.defaultValue && !document.querySelector(".conversation[hidden]")) return;
  const wanted = field.value.trim().toLowerCase();
  const rows = [...document.querySelectorAll(".conversation")];
  for (const row of rows) row.hidden = !row.querySelector(".conversation-link").textContent.toLowerCase().includes(wanted);
  for (const head of document.querySelectorAll(".day-head")) {
    let next = head.nextElementSibling;
    while (next?.matches(".conversation[hidden]")) next = next.nextElementSibling;
    head.hidden = !next?.matches(".conversation");
  }
  const none = document.querySelector(".no-title");
  if (none) none.hidden = rows.some((row) => !row.hidden);
}

document.addEventListener("change", (event) => {
  if (event.target.matches?.("[data-submits]")) event.target.form.requestSubmit();
});

// A form says in its address only what was chosen.
document.addEventListener("submit", (event) => {
  if (!event.target.matches?.(".finder")) return;
  for (const field of event.target.elements) if (field.name && !field.value) field.disabled = true;
});
addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll(".finder :disabled")) field.disabled = false;
});

// -- menus and words close -------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  for (const one of document.querySelectorAll(".site-menu[open], .filter-box[open]")) if (!one.contains(event.target)) one.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const one of document.querySelectorAll(".site-menu[open], .filter-box[open]")) {
    one.open = false;
    one.querySelector("summary").focus();
  }
  document.querySelectorAll(".term:is(:hover, :focus-within)").forEach((one) => one.classList.add("quieted"));
});
for (const kind of ["focusin", "pointerover"]) {
  document.addEventListener(kind, (event) => {
    if (event.target.closest?.(".term-word")) event.target.closest(".term").classList.remove("quieted");
  });
}

// -- the palette ---------------------------------------------------------------------------------

(() => {
  const opener = document.querySelector(".palette-open");
  if (!opener || typeof HTMLDialogElement === "undefined") return;
  opener.hidden = false;
  const FOUND = 8;
  let dialog, field, list, asked = 0, timer;

  const made = (tag, set) => Object.assign(document.createElement(tag), set);
  const item = (words, kind, run) => ({ words, kind, run });
  const go = (href) => () => location.assign(href);

  // What keys do on this page: the words of buttons and links that carry an action, in menus too.
  function keyed() {
    const found = new Map();
    for (const one of document.querySelectorAll("main :is(a, button, summary)[data-action], .news [data-action]")) {
      const usable = one.closest(".menu") || (one.checkVisibility?.() ?? one.offsetParent !== null);
      if (!usable || one.closest("[data-item]") || found.has(one.dataset.action)) continue;
      const name = one.dataset.action;
      const words = one.getAttribute("aria-label") ?? one.textContent.trim();
      found.set(name, item(words, "action", () => (Object.hasOwn(actions, name) ? actions[name]() : one.click())));
    }
    return [...found.values()];
  }

  function fixed() {
    const links = [...document.querySelectorAll(".site nav a")].map((one) => item(one.textContent, "go to", go(one.href)));
    const here = [...document.querySelectorAll(".tabs a, .tokens a, .audit-nav a, .downloads a, .pager a")]
      .map((one) => item(one.getAttribute("aria-label") ?? one.textContent.trim(), "on this page", () => one.click()));
    const json = document.querySelector('[data-action="json"]');
    const themes = [...document.querySelectorAll(".themes button")].map((one) => item(`Theme: ${one.textContent}`, "action", () => one.click()));
    const copies = [...document.querySelectorAll("[data-copy]:not([data-copy=''])")].map((one) => item(one.dataset.copy, "action", () => one.nextElementSibling?.click()));
    return [...copies, ...keyed(), ...links, ...here, ...(json ? [item("This page as JSON", "go to", go(json.href))] : []), ...themes];
  }

  const matches = (words, wanted) => wanted.split(/\s+/).every((one) => words.toLowerCase().includes(one));

  function show(items) {
    list.replaceChildren(...items.map((one, at) => {
      const option = made("li", { id: `palette-${at}`, role: "option" });
      option.append(made("span", { textContent: one.words }), made("span", { className: "quiet", textContent: one.kind }));
      option.addEventListener("click", (event) => {
        event.stopPropagation(); // a click elsewhere closes what this one opens
        dialog.close();
        one.run();
      });
      return option;
    }));
    choose(0);
  }

  function choose(at) {
    const options = [...list.children];
    options.forEach((one, place) => one.setAttribute("aria-selected", String(place === at)));
    options[at]?.scrollIntoView({ block: "nearest" });
    if (options[at]) field.setAttribute("aria-activedescendant", options[at].id);
    else field.removeAttribute("aria-activedescendant");
  }

  const chosen = () => [...list.children].findIndex((one) => one.getAttribute("aria-selected") === "true");

  function update() {
    const wanted = field.value.trim().toLowerCase();
    const known = fixed().filter((one) => matches(`${one.kind} ${one.words}`, wanted));
    const searches = wanted ? [item(`Search everything for “${field.value.trim()}”`, "search", go(`${opener.dataset.search}?q=${encodeURIComponent(field.value.trim())}`))] : [];
    show([...known, ...searches]);
    clearTimeout(timer);
    if (wanted) timer = setTimeout(() => find(field.value.trim(), known, searches), 150);
  }

  async function find(wanted, known, searches) {
    const turn = ++asked;
    try {
      const page = await fetchPage(`${opener.dataset.find}?kind=all&limit=${FOUND}&title=${encodeURIComponent(wanted)}`);
      if (turn !== asked || field.value.trim() !== wanted) return;
      const found = [...page.querySelectorAll(".conversation-link")].slice(0, FOUND)
        .map((one) => item(one.textContent.trim(), "conversation", go(one.getAttribute("href"))));
      show([...found, ...known, ...searches]);
    } catch { /* The server is away: what the page itself knows stays listed. */ }
  }

  function build() {
    dialog = made("dialog", { className: "palette" });
    dialog.setAttribute("aria-label", "Commands");
    field = made("input", { type: "search", placeholder: "Go to, find, do …", autocomplete: "off", maxLength: 200 });
    list = made("ul", { id: "palette-list", role: "listbox" });
    list.setAttribute("aria-label", "Commands");
    const roles = { role: "combobox", "aria-label": "Command", "aria-expanded": "true", "aria-controls": list.id, "aria-autocomplete": "list" };
    for (const [name, value] of Object.entries(roles)) field.setAttribute(name, value);
    field.addEventListener("input", update);
    field.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        event.preventDefault();
        choose((chosen() + step + list.children.length) % Math.max(1, list.children.length));
      } else if (event.key === "Enter" && !event.isComposing) {
        event.preventDefault();
        list.children[chosen()]?.click();
      }
    });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.append(field, list);
    document.body.append(dialog);
  }

  function open() {
    if (!dialog) build();
    if (dialog.open) return;
    document.querySelector(".site-menu").open = false;
    field.value = "";
    update();
    dialog.showModal();
  }

  opener.addEventListener("click", open);
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
})();
