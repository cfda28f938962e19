// Times in the reader's own zone: absolute ones rewritten, relative ones kept fresh.
"use strict";

const STEPS = [[60, 1, "second"], [3600, 60, "minute"], [86400, 3600, "hour"], [86400 * 14, 86400, "day"],
  [86400 * 60, 86400 * 7, "week"], [86400 * 700, 86400 * 30.44, "month"], [Infinity, 86400 * 365.25, "year"]];
const DAY = { weekday: "short", day: "numeric", month: "short", year: "numeric" };
const CLOCK = { hour: "2-digit", minute: "2-digit" };

// The words of web/text/filters.py.
function ago(when) {
  const passed = (Date.now() - when) / 1000;
  if (passed < -60) return "in the future";
  if (passed < 20) return "just now";
  const [, unit, name] = STEPS.find(([below]) => passed < below);
  const count = Math.max(1, Math.floor(passed / unit));
  return `${count} ${name}${count === 1 ? "" : "s"} ago`;
}

const rewrite = {
  relative: ago,
  clock: (when) => when.toLocaleTimeString("en-GB", CLOCK),
  day: (when) => when.toLocaleDateString("en-GB", DAY).replace(",", ""),
  stamp: (when) => when.toLocaleString("en-GB", { ...CLOCK, day: "numeric", month: "short", year: "numeric" }),
};

function localTimes() {
  for (const one of document.querySelectorAll("time[datetime]:not([data-local])")) {
    const when = new Date(one.dateTime);
    if (Number.isNaN(when.getTime())) continue;
    one.dataset.local = "";
    const exact = when.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
    one.title = "relative" in one.dataset ? exact : `${exact}, ${ago(when)}`;
    for (const [kind, words] of Object.entries(rewrite)) if (kind in one.dataset) one.textContent = words(when);
  }
}
localTimes();
document.addEventListener("viewer:arrived", localTimes);
setInterval(() => {
  if (document.hidden) return;
  for (const one of document.querySelectorAll("time[data-relative][data-local]")) one.textContent = ago(new Date(one.dateTime));
}, 30_000);
