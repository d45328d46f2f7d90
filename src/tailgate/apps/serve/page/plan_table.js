// The trucks of a plan: stops with their hours, way, money and load.

import {make, percentText} from "./dom.js";

// A plan has "columns" for what there is to say of all trucks, as texts with their units.
export function planTable(plan) {
  const hasKinds = plan.kinds.length > 0;
  const headings = [
    ["Truck", "number"], ...(hasKinds ? [["Kind", ""]] : []), ["Stops in order", ""],
    ...plan.columns.map((column) => [column.title, "number"]),
    ["Items", "number"], ["Floor used", "number"], ["Payload used", "number"],
  ];
  const bodies = plan.trucks.map((truck, index) => make("tbody", {},
    make("tr", {},
      make("td", {class: "number"}, `${index + 1}${truck.locked ? " (kept)" : ""}`),
      hasKinds ? make("td", {}, truck.kind) : null,
      make("td", {}, make("ol", {class: "stops"},
        ...truck.stops.map((stop) => make("li", {}, stop)))),
      ...plan.columns.map((column) => make("td", {class: "number"}, column.texts[index])),
      make("td", {class: "number"}, `${truck.items}${truck.turned ? ` (${truck.turned} turned)` : ""}`),
      make("td", {class: "number"}, ...share(truck.floor_share, "floor used")),
      make("td", {class: "number"}, ...share(truck.weight_share, "payload used"))),
    more(truck, headings.length - 1)));
  const totals = Object.entries(plan.totals);
  return make("div", {},
    make("div", {class: "scroll"}, make("table", {class: "trucks"},
      make("caption", {}, "The best plan, checked by the judge"),
      make("thead", {}, make("tr", {},
        ...headings.map(([heading, kind]) => make("th", {scope: "col", class: kind}, heading)))),
      ...bodies)),
    // The cost alone is above already.
    totals.length < 2 ? null : make("p", {class: "totals"}, "All trucks together: ",
      totals.map(([title, text]) => `${title.toLowerCase()} ${text}`).join(", "), "."),
    hasKinds ? make("p", {class: "totals"}, `Trucks: ${plan.kinds.join(", ")}.`) : null,
    leftOut(plan.left_out));
}

// The orders that stay, what that costs, and why.
function leftOut(orders) {
  if (orders.length === 0) {
    return null;
  }
  const count = orders.length === 1 ? "One order is" : `${orders.length} orders are`;
  return make("div", {class: "left-out"},
    make("h4", {}, `${count} left out`),
    make("ul", {}, ...orders.map(({name, cost, reason}) =>
      make("li", {}, make("strong", {}, name), ` (${cost})`, reason ? `: ${reason}` : ""))));
}

function share(value, name) {
  return [make("meter", {min: 0, max: 1, value, "aria-label": name}), ` ${percentText(value)}`];
}

// What does not fit into a row: the hours of the stops, and what the cost is made of.
function more(truck, columns) {
  const parts = Object.entries(truck.cost_parts).map(([name, amount]) => `${name} ${amount}`);
  if (!truck.is_timed && parts.length === 0) {
    return null;
  }
  return make("tr", {class: "more"}, make("td"), make("td", {colspan: String(columns)},
    truck.is_timed ? timetable(truck) : null,
    parts.length === 0 ? null : make("p", {class: "parts"}, `Cost: ${parts.join(", ")}.`)));
}

function timetable(truck) {
  const headings = ["Stop", "Arrives", "Open", "Waits", "Begins", "Stop takes", "Leaves"];
  const columns = ["arrival", "window", "waiting", "start", "service", "end"];
  const rows = truck.visits.map((visit) => make("tr", {},
    make("td", {class: "name"}, visit.name,
      ...visit.info.map(([name, text]) => make("span", {class: "info"},
        name === "address" ? text : `${name}: ${text}`))),
    ...columns.map((column) => make("td", {class: "number"}, visit[column]))));
  return make("details", {class: "timetable"},
    make("summary", {}, `Timetable: ${truck.hours}`),
    make("table", {class: "inner"},
      make("thead", {}, make("tr", {}, ...headings.map((heading, index) =>
        make("th", {scope: "col", class: index === 0 ? "" : "number"}, heading)))),
      make("tbody", {}, ...rows)));
}
