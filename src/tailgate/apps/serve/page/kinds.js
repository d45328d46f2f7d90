// The kinds of trucks: floor, payload and number in one table, costs and limits in another.

import {button, byId, make} from "./dom.js";
import {cell, focusOn} from "./customers.js";
import {changed, emptyKind, orders} from "./form.js";

const SIZES = [
  ["name", "Kind", ""], ["width", "Floor width", "length"], ["length", "Floor length", "length"],
  ["capacity", "Payload", "weight"], ["count", "How many", ""],
];
const COSTS = [
  ["fixed_cost", "Each truck costs", "cost"], ["cost_per_distance", "Cost per distance", "distance"],
  ["cost_per_time", "Cost per time", "time"], ["shift_start", "Shift from", ""],
  ["shift_end", "Shift until", ""], ["max_duration", "Longest time out", "time"],
  ["max_distance", "Longest way", "distance"], ["max_stops", "Most stops", ""],
];

export function startKinds() {
  byId("add-kind").addEventListener("click", () => {
    orders.form.vehicles.push(emptyKind());
    renderKinds();
    changed();
    focusOn(`vehicles[${orders.form.vehicles.length - 1}].name`);
  });
}

export function renderKinds() {
  const kinds = orders.form.vehicles;
  const remove = (index) => make("td", {}, kinds.length === 1 ? "" : button("✕", () => {
    kinds.splice(index, 1);
    renderKinds();
    changed();
    byId("add-kind").focus();
  }, {class: "quiet", "aria-label": `Remove kind ${index + 1}`}));
  byId("kinds").replaceChildren(
    head(SIZES, []),
    make("tbody", {}, ...kinds.map((_kind, index) =>
      make("tr", {}, ...cells(SIZES, index), remove(index)))));
  renderCosts();
}

// Calls a kind by its name, which may have changed.
export function renderCosts() {
  const kinds = orders.form.vehicles;
  const isNamed = kinds.length > 1;
  byId("kind-costs").replaceChildren(
    head(COSTS, isNamed ? [make("th", {scope: "col"}, "Kind")] : []),
    make("tbody", {}, ...kinds.map((_kind, index) => make("tr", {},
      isNamed ? make("th", {scope: "row"}, kindText(index)) : null, ...cells(COSTS, index)))));
}

function kindText(index) {
  return orders.form.vehicles[index].name || `kind ${index + 1}`;
}

function head(columns, first) {
  return make("thead", {}, make("tr", {}, ...first, ...columns.map(([_field, text, unit]) => {
    const name = orders.form.units[unit];
    return make("th", {scope: "col"}, text, name ? make("span", {class: "unit"}, ` (${name})`) : null);
  })));
}

function cells(columns, index) {
  return columns.map(([field, text]) => make("td", {}, cell(`vehicles[${index}].${field}`,
    `Truck ${index + 1}, ${text[0].toLowerCase()}${text.slice(1)}`, field === "name")));
}
