// The first part of the page: load orders, edit them, see what is wrong with them.

import {button, byId, make, percentText, setText, withUnit} from "./dom.js";
import {
  addCustomer, focusOn, openItems, paste, refreshItemsText, renderCustomers, toggleAll,
} from "./customers.js";
import {
  changed, emptyForm, hasTimes, keep, kept, onChange, orders, setAt, shownForm, valueAt,
} from "./form.js";
import {watchFiles} from "./files.js";
import {get, post, save} from "./server.js";

const PAUSE_BEFORE_CHECK = 300;
const MOST_PROBLEMS_LISTED = 12;
let checkTimer = null;
let checking = null;
let nextCheck = null;
let isValid = false;

export function startOrders() {
  watchFiles(({form, notes}) => show(form, `Read. ${notes.join(" ")}`), showMessage);
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
  byId("show-times").addEventListener("change", (event) => {
    orders.isTimed = event.target.checked;
    showTimes();
    changed();
  });
  for (const format of ["xlsx", "json"]) {
    byId(`save-${format}`).addEventListener("click", () => saveOrders(format));
  }
  const editor = byId("editor");
  editor.addEventListener("input", onInput);
  editor.addEventListener("keydown", onKey);
  editor.addEventListener("paste", onPaste);
  onChange(() => {
    keep();
    clearTimeout(checkTimer);
    checkTimer = setTimeout(check, PAUSE_BEFORE_CHECK);
  });
  const earlier = kept();
  if (earlier?.form) {
    show(earlier.form, "These are your orders of last time.", earlier.isTimed);
  }
}

export function show(form, message, isTimed = hasTimes(form)) {
  orders.form = form;
  orders.isTimed = isTimed;
  byId("editor").hidden = false;
  byId("start").disabled = false;
  byId("drop").classList.add("small");
  document.querySelectorAll("#editor .panels [data-path]").forEach((input) => {
    input.value = String(valueAt(input.dataset.path));
  });
  byId("show-times").checked = isTimed;
  showTimes();
  showUnits();
  renderCustomers();
  showMessage(message);
  keep();
  check();
}

// Orders whose table is correct; otherwise the first problem gets the attention.
export async function validForm() {
  clearTimeout(checkTimer);
  await check();
  if (!isValid) {
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
  const value = event.target.value;
  setAt(path, path === "conventions.lifo" ? value === "true" : value);
  refreshItemsText(path);
  if (path.startsWith("units.")) {
    showUnits();
  }
}

// Enter goes to the same cell of the next row, as in a spreadsheet.
function onKey(event) {
  if (event.key !== "Enter" || event.target.tagName !== "INPUT" || !event.target.dataset.path) {
    return;
  }
  const path = event.target.dataset.path;
  const next = path.replace(/\[(\d+)\](?!.*\[)/, (_all, row) => `[${Number(row) + 1}]`);
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

function showTimes() {
  byId("editor").classList.toggle("with-times", orders.isTimed);
  setText(byId("times-note"), orders.isTimed || !hasTimes(orders.form) ? ""
    : "The times that were given are not used and not saved; tick to have them again.");
}

function showUnits() {
  document.querySelectorAll("[data-unit]").forEach((element) => {
    const unit = orders.form.units[element.dataset.unit];
    setText(element, unit ? `(${unit})` : "");
  });
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
  mark(checked.problems);
  list(checked.problems);
  sumUp(checked);
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

// Items that are folded away are marked at the button that unfolds them.
function fieldOf(path) {
  const direct = document.querySelector(`[data-path="${CSS.escape(path)}"]`);
  const outer = path.match(/^customers\[\d+\]\.items/);
  return direct ?? (outer && document.querySelector(`[data-path="${CSS.escape(outer[0])}"]`));
}

function list(problems) {
  const shown = problems.slice(0, MOST_PROBLEMS_LISTED).map((problem) =>
    make("li", {class: problem.level},
      button(placeText(problem.path), () => goTo(problem.path)),
      ` ${problem.message}`));
  const more = problems.length - shown.length;
  byId("problems").replaceChildren(...shown, ...(more > 0 ? [make("li", {}, `and ${more} more`)] : []));
}

function goTo(path) {
  const match = path.match(/^customers\[(\d+)\]\.items\[/);
  if (match) {
    openItems(orders.form.customers[Number(match[1])]);
    check();
  }
  fieldOf(path)?.focus();
  fieldOf(path)?.scrollIntoView({block: "center"});
}

const WORDS = {
  vehicle: "Truck", depot: "Depot", units: "Units", conventions: "Rules", count: "how many",
  capacity: "payload", ready: "open from", due: "open until", service: "stop takes",
};

function placeText(path) {
  const match = path.match(/^customers\[(\d+)\](?:\.items\[(\d+)\])?\.?(\w*)$/);
  if (match) {
    const name = orders.form.customers[Number(match[1])]?.name || `Customer ${Number(match[1]) + 1}`;
    const item = match[2] === undefined ? "" : `, item ${Number(match[2]) + 1}`;
    return `${name}${item}${match[3] ? `, ${WORDS[match[3]] ?? match[3]}` : ""}`;
  }
  return path.split(".").map((word) => WORDS[word] ?? word).join(", ") || "Orders";
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
