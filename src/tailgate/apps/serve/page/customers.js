// The table of customers, each with its items.

import {button, byId, make} from "./dom.js";
import {changed, emptyCustomer, emptyItem, isTicked, orders, put, valueAt} from "./form.js";

const TIMES = ["ready", "due", "service"];
const RULES = ["leave_out_cost", "vehicles", "not_with", "together", "position"];
const TEXTS = ["name", "vehicles", "not_with", "together"];
const POSITIONS = [["", ""], ["first", "first"], ["last", "last"]];
const AXES = {"x/y": ["x", "y"], "lat/lon": ["lat", "lon"], none: []};
const ITEM_COLUMNS = ["name", "quantity", "width", "length", "turn"];
const TURNING = {"as-given": "", all: " (all may)", none: " (none may)"};
const LABELS = {
  name: "name", x: "x", y: "y", lat: "latitude", lon: "longitude", weight: "weight",
  ready: "open from", due: "open until", service: "stop takes", quantity: "quantity",
  width: "width", length: "length", leave_out_cost: "cost if left out",
  vehicles: "trucks that may come", not_with: "not with", together: "together with",
  position: "place in the route", turn: "may be turned",
};
const HEADINGS = {
  name: "Name", x: "x", y: "y", lat: "Latitude", lon: "Longitude", weight: "Weight",
  ready: "Open from", due: "until", service: "Stop takes", leave_out_cost: "Cost if left out",
  vehicles: "Trucks that may come", not_with: "Not with", together: "Together with",
  position: "First or last",
};
const UNITS = {
  x: "distance", y: "distance", weight: "weight", service: "time", leave_out_cost: "cost",
};

const opened = new Set();

export function openItems(customer) {
  if (!opened.has(customer)) {
    opened.add(customer);
    renderCustomers();
  }
}

export function toggleAll() {
  const all = orders.form.customers;
  const close = all.every((customer) => opened.has(customer));
  opened.clear();
  if (!close) {
    all.forEach((customer) => opened.add(customer));
  }
  renderCustomers();
  return !close;
}

export function addCustomer() {
  const customer = emptyCustomer();
  orders.form.customers.push(customer);
  opened.add(customer);
  renderCustomers();
  changed();
  focusOn(`customers[${orders.form.customers.length - 1}].name`);
}

export function focusOn(path) {
  const input = document.querySelector(`[data-path="${CSS.escape(path)}"]`);
  if (input) {
    input.focus();
    input.scrollIntoView({block: "center"});
  }
}

// The cells of a customer's row that are shown, each by its path within the customer.
function columns() {
  const form = orders.form;
  return [
    "name", ...AXES[form.travel.coordinates], "weight", ...(orders.isTimed ? TIMES : []),
    ...(orders.isRuled ? RULES : []),
    ...(orders.isDetailed ? form.info.map((_name, index) => `info[${index}]`) : []),
  ];
}

function infoName(column) {
  const match = column.match(/^info\[(\d+)\]$/);
  return match && orders.form.info[Number(match[1])];
}

// One body for every customer, so that a row and its items belong together.
export function renderCustomers() {
  const table = byId("customers");
  table.querySelectorAll("tbody").forEach((body) => body.remove());
  renderHead();
  table.append(...orders.form.customers.map((customer, index) => body(customer, index)));
}

export function renderHead() {
  const heading = (column) => {
    const unit = orders.form.units[UNITS[column]];
    const text = HEADINGS[column] ?? infoName(column).replace(/^./u, (letter) => letter.toUpperCase());
    return make("th", {scope: "col"}, text, unit ? make("span", {class: "unit"}, ` (${unit})`) : null);
  };
  byId("customers-head").replaceChildren(
    make("th", {scope: "col", class: "number"}, "No."), ...columns().map(heading),
    make("th", {scope: "col"}, "Items on the floor"),
    make("th", {scope: "col"}, make("span", {class: "hidden"}, "Remove")));
}

function body(customer, index) {
  const place = `customers[${index}]`;
  const isOpen = opened.has(customer);
  const row = make("tr", {},
    make("td", {class: "number"}, String(index + 1)),
    ...columns().map((column) => {
      const info = infoName(column);
      const isText = info !== null || TEXTS.includes(column);
      const kind = column === "name" ? "name" : isText ? "info" : "";
      const label = `Customer ${index + 1}, ${info ?? LABELS[column]}`;
      const path = `${place}.${column}`;
      return make("td", {class: kind},
        column === "position" ? choice(path, label, POSITIONS) : cell(path, label, isText));
    }),
    make("td", {}, button(itemsText(customer), () => {
      isOpen ? opened.delete(customer) : opened.add(customer);
      renderCustomers();
      changed();
      document.querySelector(`[data-path="${place}.items"]`).focus();
    }, {class: "items", "data-path": `${place}.items`, "aria-expanded": String(isOpen),
        "aria-label": `Customer ${index + 1}, items: ${itemsText(customer)}`})),
    make("td", {}, button("✕", () => {
      orders.form.customers.splice(index, 1);
      renderCustomers();
      changed();
    }, {class: "quiet", "aria-label": `Remove customer ${index + 1}`})));
  const rows = [row];
  if (isOpen) {
    rows.push(make("tr", {class: "item-rows"}, make("td"),
      make("td", {colspan: String(columns().length + 2)}, itemTable(customer, index))));
  }
  return make("tbody", {}, ...rows);
}

function itemTable(customer, index) {
  const place = `customers[${index}].items`;
  const rows = customer.items.map((_item, item) => make("tr", {},
    ...ITEM_COLUMNS.map((column) => {
      const path = `${place}[${item}].${column}`;
      const label = `Customer ${index + 1}, item ${item + 1}, ${LABELS[column]}`;
      return make("td", {}, column === "turn" ? tick(path, label) : cell(path, label, column === "name"));
    }),
    make("td", {}, button("✕", () => {
      customer.items.splice(item, 1);
      renderCustomers();
      changed();
    }, {class: "quiet", "aria-label": `Remove item ${item + 1} of customer ${index + 1}`}))));
  const headings = ["Item", "How many", "Width", "Length (along the truck)",
    `May be turned${TURNING[orders.form.conventions.turn]}`];
  return make("div", {},
    make("table", {class: "inner"},
      make("thead", {}, make("tr", {},
        ...headings.map((heading) => make("th", {scope: "col"}, heading)), make("th"))),
      make("tbody", {}, ...rows)),
    button("Add an item", () => {
      customer.items.push(emptyItem());
      renderCustomers();
      changed();
      focusOn(`${place}[${customer.items.length - 1}].name`);
    }));
}

function choice(path, label, options) {
  const select = make("select", {"data-path": path, "aria-label": label},
    ...options.map(([value, text]) => make("option", {value}, text)));
  select.value = valueAt(path);
  return select;
}

// What an item says of itself stays, but does not count where the rules say it for all.
function tick(path, label) {
  const rule = orders.form.conventions.turn;
  const input = make("input", {
    type: "checkbox", "data-path": path, "aria-label": label, disabled: rule !== "as-given",
  });
  input.checked = rule === "as-given" ? isTicked(valueAt(path)) : rule === "all";
  return input;
}

export function cell(path, label, isText) {
  const input = make("input", {
    "data-path": path, "aria-label": label, class: isText ? "" : "number",
    inputmode: isText ? "text" : "decimal", autocomplete: "off",
  });
  input.value = valueAt(path);
  return input;
}

export function itemsText(customer) {
  if (customer.items.length === 0) {
    return "none";
  }
  const texts = customer.items.slice(0, 3).map((item) => {
    const name = item.name || `${item.width || "?"}×${item.length || "?"}`;
    return ["", "1"].includes(item.quantity) ? name : `${item.quantity} × ${name}`;
  });
  return texts.join(", ") + (customer.items.length > 3 ? ", …" : "");
}

// A change of one item shows in its customer's row.
export function refreshItemsText(path) {
  const match = path.match(/^(customers\[(\d+)\])\.items\[/);
  if (match) {
    const shown = document.querySelector(`[data-path="${match[1]}.items"]`);
    const text = itemsText(orders.form.customers[Number(match[2])]);
    shown.textContent = text;
    shown.setAttribute("aria-label", `Customer ${Number(match[2]) + 1}, items: ${text}`);
  }
}

// Rows that were copied in a spreadsheet fill the columns that are shown, from the cell on to the
// right and down. Returns how many cells found no column, or null for what is no table.
export function paste(path, text) {
  const match = path.match(/^customers\[(\d+)\]\.(?:items\[(\d+)\]\.)?(\w+(?:\[\d+\])?)$/);
  const rows = text.replace(/\r/g, "").replace(/\n$/, "").split("\n").map((row) => row.split("\t"));
  if (!match || (rows.length === 1 && rows[0].length === 1)) {
    return null;
  }
  const [customers, isItem] = [orders.form.customers, match[2] !== undefined];
  const shown = isItem ? ITEM_COLUMNS : columns();
  let leftOut = 0;
  const list = isItem ? customers[Number(match[1])].items : customers;
  const first = Number(isItem ? match[2] : match[1]);
  rows.forEach((cells, row) => {
    if (first + row === list.length) {
      list.push(isItem ? emptyItem() : emptyCustomer());
    }
    cells.forEach((value, column) => {
      const name = shown[shown.indexOf(match[3]) + column];
      if (name !== undefined) {
        const text = value.trim();
        put(list[first + row], name, name === "turn" && !isTicked(text) ? "" : text);
      } else if (value.trim() !== "") {
        leftOut += 1;
      }
    });
  });
  renderCustomers();
  changed();
  return {leftOut};
}
