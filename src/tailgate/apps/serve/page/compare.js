// Runs side by side: what differs is marked.

import {byId, make} from "./dom.js";
import {get} from "./server.js";
import {statusText, timeText} from "./run_texts.js";

const FACTS = ["customers", "items", "may be left out", "trucks", "floor", "payload", "unloading", "may be turned", "distances", "costs",
  "shift and limits", "single stops"];

export async function showComparison(numbers) {
  const place = byId("compare");
  if (numbers.length < 2) {
    place.hidden = true;
    place.replaceChildren();
    return;
  }
  const runs = await Promise.all(numbers.map((number) => get(`/api/jobs/${number}`)));
  const plans = await get(`/api/compare?runs=${numbers.join(",")}`);
  const isSame = new Set(runs.map((run) => run.facts.fingerprint)).size === 1;
  const cheapest = Math.min(...runs.map(({job}) => job.objective ?? Infinity));
  const rows = [
    line("Orders", runs.map(({job}) => job.name)),
    line("Status", runs.map(({job}) => statusText(job))),
    line("Best plan costs", runs.map(({job}) => costText(job, isSame && job.objective === cheapest))),
    line("No plan costs less than", runs.map(({job}) => job.texts.lower_bound || "–")),
    line("Gap", runs.map(({job}) => job.texts.gap || "–")),
    line("Time", runs.map(({job}) => timeText(job))),
    ...plans.rows.map(({name, texts}) => line(capital(name), texts)),
    ...FACTS.map((fact) => line(capital(fact), runs.map(({facts}) => String(facts[fact])))),
  ];
  place.replaceChildren(
    make("h3", {id: "compare-title"}, "Comparison"),
    make("p", {class: "message"}, isSame ? "These runs have the same orders and truck."
      : "These runs differ in their orders or truck: their costs cannot be compared."),
    make("div", {class: "scroll"}, make("table", {"aria-labelledby": "compare-title"},
      make("thead", {}, make("tr", {}, make("td"),
        ...runs.map(({job}) => make("th", {scope: "col"}, `Run ${job.number}`)))),
      make("tbody", {}, ...rows))),
    ...plans.changes.map(({title, texts}) => make("div", {class: "changes"},
      make("h4", {}, title), make("ul", {}, ...texts.map((text) => make("li", {}, text))))));
  place.hidden = false;
}

function costText(job, isCheapest) {
  if (!job.has_plan) {
    return "–";
  }
  return isCheapest ? `${job.texts.objective} (cheapest)` : job.texts.objective;
}

function capital(text) {
  return text.trim().replace(/^./u, (letter) => letter.toUpperCase());
}

function line(name, values) {
  const differs = new Set(values).size > 1;
  return make("tr", {class: differs ? "differs" : ""}, make("th", {scope: "row"}, name),
    ...values.map((value) => make("td", {}, value)));
}
