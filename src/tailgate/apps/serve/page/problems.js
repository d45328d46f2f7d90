// What is wrong with the orders: at the cell, and in a list that leads to it.

import {button, byId, make} from "./dom.js";
import {openItems} from "./customers.js";
import {orders} from "./form.js";
import {showDetails, showRules} from "./panels.js";

const MOST_LISTED = 12;

// Cells that are unfolded to be shown are marked by another check.
export function showProblems(problems, check) {
  mark(problems);
  list(problems, check);
}

function mark(problems) {
  byId("editor").querySelectorAll(".problem-text").forEach((element) => element.remove());
  document.querySelectorAll("[aria-invalid], .warned").forEach((element) => {
    element.removeAttribute("aria-invalid");
    element.removeAttribute("aria-describedby");
    element.removeAttribute("title");
    element.classList.remove("warned");
  });
  problems.forEach((problem, index) => {
    const field = fieldOf(problem.path);
    if (!field) {
      return;
    }
    const text = make("span", {id: `problem-${index}`, class: `problem-text ${problem.level}`},
      problem.message);
    field.after(text);
    field.title = problem.message;
    field.setAttribute("aria-describedby", text.id);
    if (problem.level === "error") {
      field.setAttribute("aria-invalid", "true");
    } else {
      field.classList.add("warned");
    }
  });
}

// Items that are folded away are marked at the button that unfolds them, and what is wrong with a
// customer as such at its name.
function fieldOf(path) {
  const items = path.match(/^customers\[\d+\]\.items/);
  const paths = [path, `${path}.name`, ...(items ?? [])];
  const found = paths.map((one) => document.querySelector(`[data-path="${CSS.escape(one)}"]`));
  return found.find((field) => field !== null) ?? null;
}

function list(problems, check) {
  const shown = problems.slice(0, MOST_LISTED).map((problem) =>
    make("li", {class: problem.level},
      button(placeText(problem.path), () => goTo(problem.path, check)),
      ` ${problem.message}`));
  const more = problems.length - shown.length;
  byId("problems").replaceChildren(...shown, ...(more > 0 ? [make("li", {}, `and ${more} more`)] : []));
}

function goTo(path, check) {
  if (/\.info\[/.test(path) && !orders.isDetailed) {
    showDetails(true);
  }
  if (/^customers\[\d+\]\.(leave_out_cost|vehicles|not_with|together|position)/.test(path) && !orders.isRuled) {
    showRules(true);
  }
  const match = path.match(/^customers\[(\d+)\]\.items\[/);
  if (match) {
    openItems(orders.form.customers[Number(match[1])]);
    check();
  }
  const field = fieldOf(path);
  field?.closest("details")?.setAttribute("open", "");
  field?.focus();
  field?.scrollIntoView({block: "center"});
}

const WORDS = {
  vehicles: "Trucks", depot: "Depot", units: "Units", conventions: "Rules", travel: "Roads",
  count: "how many", capacity: "payload", ready: "open from", due: "open until",
  service: "stop takes", lat: "latitude", lon: "longitude", fixed_cost: "cost of a truck",
  cost_per_distance: "cost per distance", cost_per_time: "cost per time",
  shift_start: "shift from", shift_end: "shift until", max_duration: "longest time out",
  leave_out_cost: "cost if left out", not_with: "not with", together: "together with",
  position: "first or last", turn: "may be turned",
  max_distance: "longest way", max_stops: "most stops", roads: "matrix", metric: "distances are",
};

function placeText(path) {
  const match = path.match(/^customers\[(\d+)\](?:\.items\[(\d+)\])?\.?(\w*)(?:\[(\d+)\])?$/);
  if (match) {
    const name = orders.form.customers[Number(match[1])]?.name || `Customer ${Number(match[1]) + 1}`;
    const item = match[2] === undefined ? "" : `, item ${Number(match[2]) + 1}`;
    const field = match[3] === "info" ? orders.form.info[Number(match[4])] : WORDS[match[3]] ?? match[3];
    return `${name}${item}${field ? `, ${field}` : ""}`;
  }
  const kind = path.match(/^vehicles\[(\d+)\]\.?(\w*)$/);
  if (kind) {
    const name = orders.form.vehicles[Number(kind[1])]?.name;
    return `Truck${name ? ` ${name}` : ""}${kind[2] ? `, ${WORDS[kind[2]] ?? kind[2]}` : ""}`;
  }
  return path.split(".").map((word) => WORDS[word] ?? word).join(", ") || "Orders";
}
