// Keys. Which key does what is said once, on the server (web/site/keyboard.py): the page carries it in data-keys,
// the help page shows it. An action without a function here clicks the element with that data-action.
"use strict";

// The contents beside a conversation have lines of their own; keys walk what is read.
const walked = (selector) => [...document.querySelectorAll(`main ${selector}`)]
  .filter((one) => !one.closest(".navigator") && !(selector === "[data-prompt]" && one.closest(".delegate")) && (one.checkVisibility?.() ?? one.offsetParent !== null));

function move(step, selector = "[data-item]") {
  const items = walked(selector);
  if (!items.length) return;
  const current = document.querySelector(".current");
  let index = items.indexOf(current);
  if (index < 0 && current) {
    const before = items.filter((one) => current.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING).length;
    index = step > 0 ? before - 1 : before;
  } else if (index < 0) {
    const seen = items.findIndex((one) => one.getBoundingClientRect().bottom > 80);
    index = step > 0 ? seen - 1 : seen + 1;
  }
  const target = items[Math.min(items.length - 1, Math.max(0, index + step))];
  if (target === current && selector === "[data-prompt]") goPrompt(step > 0 ? "after" : "before", target.dataset.place);
  else mark(target);
}

const actions = {
  next: () => move(1),
  previous: () => move(-1),
  "next-prompt": () => move(1, "[data-prompt]"),
  "previous-prompt": () => move(-1, "[data-prompt]"),
  open: () => {
    const details = document.querySelector(".current")?.querySelector("details") ?? document.querySelector("details.current");
    if (details) details.open = !details.open;
  },
  contents: () => openContents(),
  search: () => {
    const field = document.querySelector('input[data-action="search"]');
    field?.focus();
    field?.select();
  },
  filter: () => {
    const field = document.querySelector('[data-action="filter"]');
    if (!field) press("home");
    else {
      field.closest("details").open = true;
      field.closest("details").querySelector("select, input").focus();
    }
  },
};
// What belongs to one message is pressed in the marked one only.
const press = (name) => {
  const found = document.querySelector(`.current [data-action="${name}"]`)
    ?? [...document.querySelectorAll(`[data-action="${name}"]`)].find((one) => !one.closest("[data-item]"));
  found?.click();
};

const keys = JSON.parse(document.body.dataset.keys);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea, [contenteditable]")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const name = Object.hasOwn(keys, event.key) && keys[event.key];
  if (!name) return;
  event.preventDefault();
  if (Object.hasOwn(actions, name)) actions[name]();
  else press(name);
});

