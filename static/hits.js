// Hits of a search inside a conversation: next and previous without loading where they are on the page.
"use strict";

const bar = document.querySelector(".hits-bar[data-hits]");
const hits = bar?.dataset.hits ? bar.dataset.hits.split(",") : [];

function showHit(item) {
  const marks = item.querySelectorAll("mark.hit");
  const first = marks[0];
  if (!first) return false;
  for (const one of marks) {
    // The closed line of a tool or handoff shows its hit already; what is inside wants opening.
    if (one.closest("summary")) continue;
    for (let fold = one.closest("details"); fold && item.contains(fold); fold = fold.parentElement?.closest("details")) fold.open = true;
  }
  const seen = [...marks].find((one) => !one.closest("summary")) ?? first;
  seen.scrollIntoView({ block: "center" });
  return true;
}

async function landOn(id) {
  const anchor = document.getElementById(`m-${id}`);
  if (!anchor) return;
  reveal(anchor);
  const item = anchor.closest("[data-item]") ?? anchor;
  if (showHit(anchor) || showHit(item)) return;
  // The page cuts long texts; the hit may stand behind the cut.
  anchor.querySelector("[data-show-all]")?.click();
  for (let wait = 0; wait < 40; wait += 1) {
    await new Promise((done) => { setTimeout(done, 50); });
    const now = document.getElementById(`m-${id}`);
    if (now?.querySelector("mark.hit")) { showHit(now); return; }
  }
}

function goToHit(step) {
  if (!hits.length) return;
  const at = Number(bar.dataset.at);
  const index = at < 0 ? 0 : at + step;
  if (index < 0 || index >= hits.length) { announce(step > 0 ? "That was the last hit" : "That was the first hit"); return; }
  const id = hits[index];
  const query = new URL(location.href).searchParams.get("q") ?? "";
  if (!document.getElementById(`m-${id}`)) {
    location.assign(`${bar.dataset.base.replace(/0$/, id)}?q=${encodeURIComponent(query)}`);
    return;
  }
  bar.dataset.at = String(index);
  const number = bar.querySelector("[data-hit-number]");
  if (number) number.textContent = String(index + 1);
  history.replaceState(null, "", `#m-${id}`);
  landOn(id);
  announce(`Hit ${index + 1} of ${hits.length}`);
}

if (bar) {
  actions["next-hit"] = () => goToHit(1);
  actions["previous-hit"] = () => goToHit(-1);
  bar.addEventListener("click", (event) => {
    const name = event.target.closest("a")?.dataset.action;
    if (!name || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    event.stopPropagation();
    goToHit(name === "next-hit" ? 1 : -1);
  });
  if (Number(bar.dataset.at) >= 0) landOn(hits[Number(bar.dataset.at)]);
}
