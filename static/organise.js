// What the keys of web/site/keyboard.py do with the forms: pin, archive, tags, note. The forms work without it.
"use strict";

(() => {
  // Looked up each time: while the first import runs the list is replaced.
  const form = () => document.getElementById("organise");
  const ticked = () => [...document.querySelectorAll(".pick:checked")];
  const current = () => document.querySelector(".conversation.current");

  // -- the bar appears with the first tick -----------------------------------------------------
  function count() {
    const many = ticked().length;
    const words = form()?.querySelector(".organise-count");
    if (words) words.textContent = many ? `${many} ticked:` : "Ticked:";
  }
  document.addEventListener("change", (event) => { if (event.target.matches?.(".pick")) count(); });
  addEventListener("pageshow", count);
  count();

  // The way back leads to the first of the conversations that something was done to.
  document.addEventListener("submit", (event) => {
    if (event.target === form()) form().elements.at.value = ticked()[0]?.closest(".conversation")?.id ?? "";
  });

  /** Tick the marked conversation where none is ticked; false when there is nothing to work on. */
  function choose() {
    if (!ticked().length) {
      const box = current()?.querySelector(".pick");
      if (box) box.checked = true;
    }
    count();
    return ticked().length > 0;
  }

  function send(name, mark) {
    if (!form()) return press(name);
    if (!choose()) return;
    const button = form().querySelector(`[data-action="${name}"]`);
    const back = ticked().every((box) => mark in box.closest(".conversation").dataset);
    form().requestSubmit(back ? form().querySelector(`[value="${button.dataset.other}"]`) : button);
  }

  function write(name) {
    if (form() && !choose()) return;
    const field = document.querySelector(`[data-action="${name}"]`);
    if (!field) return;
    const details = field.closest("details");
    if (details) details.open = true;
    field.focus();
    field.scrollIntoView({ block: "nearest" });
  }

  // Enter in the bar's field adds these tags; it never pins what happens to be the first button.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches?.('#organise [data-action="tags"]')) return;
    event.preventDefault();
    form().requestSubmit(form().querySelector('[value="tag"]'));
  });

  Object.assign(actions, {
    pin: () => send("pin", "pinned"),
    archive: () => send("archive", "archived"),
    tags: () => write("tags"),
    note: () => {
      const link = form() ? current()?.querySelector(".conversation-link") : null;
      if (link) location.assign(`${link.href}#write-note`);
      else if (!form()) write("note");
    },
  });
  if (location.hash === "#write-note") write("note");
})();
