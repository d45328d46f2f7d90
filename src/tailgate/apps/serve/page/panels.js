// Plan, truck, depot, roads and costs: fields that are shown where they count.

import {byId, setText} from "./dom.js";
import {renderCustomers, renderHead} from "./customers.js";
import {renderCosts, renderKinds, startKinds} from "./kinds.js";
import {changed, emptyForm, hasTimes, orders, setAt, valueAt} from "./form.js";

export function startPanels() {
  byId("show-times").addEventListener("change", (event) => {
    orders.isTimed = event.target.checked;
    showColumns();
    changed();
  });
  byId("show-details").addEventListener("change", (event) => showDetails(event.target.checked));
  byId("show-rules").addEventListener("change", (event) => showRules(event.target.checked));
  byId("turn-all").addEventListener("change", (event) =>
    setField("conventions.turn", event.target.checked ? "all" : "as-given"));
  startKinds();
  byId("remove-roads").addEventListener("click", () => {
    const metric = {"lat/lon": "great-circle"}[orders.form.travel.coordinates] ?? "euclidean";
    orders.form.travel.roads = null;
    chooseMetric(metric);
    byId("choose-roads").focus();
  });
}

// Sets a field, and shows what follows from it.
export function setField(path, value) {
  if (path === "travel.metric") {
    chooseMetric(value);
    return;
  }
  setAt(path, path === "conventions.lifo" ? value === "true" : value);
  if (["travel.coordinates", "conventions.turn"].includes(path)) {
    showPanels();
  } else if (path.startsWith("units.")) {
    showUnits();
  } else if (/^vehicles\[\d+\]\.name$/.test(path)) {
    renderCosts();
  }
}

export function showDetails(isDetailed) {
  orders.isDetailed = isDetailed;
  showPanels();
  changed();
}

export function showRules(isRuled) {
  orders.isRuled = isRuled;
  showPanels();
  changed();
}

// The metric says which coordinates are used; with a matrix they are for maps only.
function chooseMetric(metric) {
  const travel = orders.form.travel;
  travel.metric = metric;
  travel.coordinates = {euclidean: "x/y", "great-circle": "lat/lon"}[metric] ?? travel.coordinates;
  showPanels();
  changed();
}

export function showPanels() {
  const fields = "#editor .panels :is(input, select)[data-path]:not(.kinds *)";
  document.querySelectorAll(fields).forEach((input) => {
    input.value = String(valueAt(input.dataset.path));
  });
  byId("show-times").checked = orders.isTimed;
  byId("show-details").checked = orders.isDetailed;
  byId("show-rules").checked = orders.isRuled;
  byId("turn-all").checked = orders.form.conventions.turn === "all";
  showTravel();
  showColumns();
}

// What is folded away, and not as it is in a plain order, is unfolded: it counts.
export function unfold() {
  const plain = emptyForm();
  document.querySelectorAll("#editor details[data-plain]").forEach((details) => {
    const fields = [...details.querySelectorAll("[data-path]")].map((field) => field.dataset.path);
    details.open = fields.some((path) =>
      valueAt(path) !== (valueAt(path, plain) ?? valueAt(path.replace(/\[\d+\]/, "[0]"), plain)));
  });
}

function showTravel() {
  const {metric, coordinates, roads} = orders.form.travel;
  const isMatrix = metric === "matrix";
  byId("editor").querySelectorAll("[data-for]").forEach((element) => {
    const wanted = element.dataset.for;
    element.hidden = {
      "x/y": coordinates !== "x/y", "lat/lon": coordinates !== "lat/lon", measured: isMatrix,
      matrix: !isMatrix, speed: isMatrix && Boolean(roads?.durations), roads: roads === null,
    }[wanted];
  });
  setText(byId("roads"), roads === null ? "" : roads.text + (isMatrix ? "" : " (not used)"));
}

function showColumns() {
  byId("editor").classList.toggle("with-times", orders.isTimed);
  byId("editor").classList.toggle("with-details", orders.isDetailed);
  showUnits();
  renderCustomers();
  setText(byId("times-note"), orders.isTimed || !hasTimes(orders.form) ? ""
    : "The times that were given are not used and not saved; tick to have them again.");
}

function showUnits() {
  document.querySelectorAll("[data-unit]").forEach((element) => {
    const unit = orders.form.units[element.dataset.unit];
    setText(element, unit ? `(${unit})` : "");
  });
  renderKinds();
  renderHead();
}
