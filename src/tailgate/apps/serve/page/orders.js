// The first part of the page: load orders, edit them, see what is wrong with them.

import {byId, percentText, setText, withUnit} from "./dom.js";
import {addCustomer, focusOn, paste, refreshItemsText, toggleAll} from "./customers.js";
import {
  emptyForm, hasDetails, hasRules, hasTimes, keep, kept, onChange, orders, shownForm, tickText, useRoads, valueAt,
} from "./form.js";
import {watchFiles} from "./files.js";
import {setField, showPanels, startPanels, unfold} from "./panels.js";
import {showProblems} from "./problems.js";
import {get, post, save} from "./server.js";

const PAUSE_BEFORE_CHECK = 300;
let checkTimer = null;
let checking = null;
let nextCheck = null;
let isValid = false;
let isValidIfLeftOut = false;

export function startOrders() {
  watchFiles(({form, roads, notes}) => {
    if (form) {
      show(form, `Read. ${notes.join(" ")}`);
    } else {
      useRoads(roads);
      show(orders.form, `Read: ${roads.text}.`, orders);
    }
  }, showMessage);
  byId("load-example").addEventListener("click", async () => {
    try {
      show((await get("/api/example")).form, "This is an example; change whatever you like.");
    } catch (error) {
      showMessage(error.message);
    }
  });
  byId("start-empty").addEventListener("click", () => {
    show(emptyForm(), "An empty table. Fill in the truck and the customers.");
  });
  byId("add-customer").addEventListener("click", addCustomer);
  byId("open-all").addEventListener("click", () => {
    setText(byId("open-all"), toggleAll() ? "Hide all items" : "Show all items");
    check();
  });
  startPanels();
  for (const format of ["xlsx", "json"]) {
    byId(`save-${format}`).addEventListener("click", () => saveOrders(format));
  }
  const editor = byId("editor");
  editor.addEventListener("input", onInput);
  editor.addEventListener("keydown", onKey);
  editor.addEventListener("paste", onPaste);
  onChange(() => {
    keepOrSay();
    clearTimeout(checkTimer);
    checkTimer = setTimeout(check, PAUSE_BEFORE_CHECK);
  });
  const earlier = kept();
  if (earlier?.form) {
    show(earlier.form, "These are your orders of last time.", earlier);
  }
}

export function show(form, message, shown = {}) {
  const {isTimed = hasTimes(form), isDetailed = hasDetails(form), isRuled = hasRules(form)} = shown;
  Object.assign(orders, {form, isTimed, isDetailed, isRuled});
  byId("editor").hidden = false;
  byId("start").disabled = false;
  byId("drop").classList.add("small");
  showPanels();
  unfold();
  showMessage(message);
  keepOrSay();
  check();
}

// Orders whose table is correct, but for orders that fit no truck, if these may be left out; otherwise the first problem
// gets the attention.
export async function validForm(leavesOutAny = false) {
  clearTimeout(checkTimer);
  await check();
  if (!isValid && !(leavesOutAny && isValidIfLeftOut)) {
    byId("problems").querySelector("button")?.focus();
    throw new Error("Mend the problems above first.");
  }
  return shownForm();
}

function showMessage(message) {
  byId("drop").classList.remove("over");
  setText(byId("reading"), message);
}

function onInput(event) {
  const path = event.target.dataset.path;
  if (path === undefined) {
    return;
  }
  const {type, checked, value} = event.target;
  setField(path, type === "checkbox" ? tickText(checked) : value);
  refreshItemsText(path);
}

// Enter goes to the same cell of the next row, as in a spreadsheet.
function onKey(event) {
  if (event.key !== "Enter" || event.target.tagName !== "INPUT" || !event.target.dataset.path) {
    return;
  }
  const path = event.target.dataset.path;
  const next = path.replace(/(items|customers|vehicles)\[(\d+)\](?!.*items\[)/, (_all, list, row) =>
    `${list}[${Number(row) + 1}]`);
  focusOn(next === path || valueAt(next) === undefined ? path : next);
}

function onPaste(event) {
  const path = event.target.dataset.path;
  const pasted = path === undefined ? null : paste(path, event.clipboardData.getData("text/plain"));
  if (pasted === null) {
    return;
  }
  event.preventDefault();
  focusOn(path);
  const count = pasted.leftOut;
  showMessage(count === 0 ? "Pasted." : `Pasted, but for ${count === 1 ? "one cell" : `${count} cells`} ` +
    "beyond the last column that is shown.");
}

function keepOrSay() {
  setText(byId("keep-note"), keep() ? ""
    : "These orders are too large for the browser to keep: save them as a spreadsheet or as JSON.");
}

async function saveOrders(format) {
  try {
    await save("/api/save", {form: await validForm(), format}, `orders.${format}`);
  } catch (error) {
    setText(byId("start-message"), error.message);
  }
}

// One check at a time: while it is under way, the newest form waits, and older ones are left out.
function check() {
  if (checking === null) {
    checking = checkNow().finally(() => {
      checking = null;
    });
    return checking;
  }
  nextCheck ??= checking.then(() => {
    nextCheck = null;
    return check();
  });
  return nextCheck;
}

async function checkNow() {
  let checked;
  try {
    checked = await post("/api/check", shownForm());
  } catch (error) {
    checked = {
      valid: false, summary: {},
      problems: [{path: error.path ?? "", message: error.message, level: "error"}],
    };
  }
  isValid = checked.valid;
  isValidIfLeftOut = checked.valid_if_left_out ?? false;
  showProblems(checked.problems, check);
  sumUp(checked);
}

function sumUp({valid, problems, summary}) {
  const verdict = byId("verdict");
  if (!valid) {
    const count = problems.length;
    setText(verdict, count === 1 ? "One problem is to be mended first:"
      : `${count} problems are to be mended first:`);
    return;
  }
  const units = orders.form.units;
  const area = units.length ? `${units.length}²` : "";
  setText(verdict, `${summary.customers} customers, ${summary.items} items. ` +
    `Weight: ${withUnit(summary.weight, units.weight)} of ` +
    `${withUnit(summary.capacity, units.weight)} (${percentText(summary.weight_share)}). ` +
    `Floor: ${withUnit(summary.area, area)} of ${withUnit(summary.floor, area)} ` +
    `(${percentText(summary.area_share)}).`);
}
