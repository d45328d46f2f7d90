// The orders as the page holds them: every cell is text under a path such as
// "customers[3].items[0].width", the same path by which the server names a problem.

const STORED = "tailgate-orders";
const USUAL_INFO = ["address", "phone", "note"];
const listeners = [];

// What was typed; whether its times count (without the tick they are neither sent nor saved), and
// whether addresses and notes, and rules, are shown.
export const orders = {form: null, isTimed: false, isDetailed: false, isRuled: false};

export function emptyCustomer() {
  return {
    place: "", name: "", x: "", y: "", lat: "", lon: "", weight: "",
    ready: "", due: "", service: "", items: [emptyItem()],
    leave_out_cost: "", vehicles: "", not_with: "", together: "", position: "",
    info: (orders.form ?? {info: USUAL_INFO}).info.map(() => ""),
  };
}

export function emptyItem() {
  return {name: "", width: "", length: "", quantity: "1", turn: ""};
}

export function emptyKind() {
  return {
    name: "", width: "", length: "", capacity: "", count: "1",
    fixed_cost: "", cost_per_distance: "", cost_per_time: "", shift_start: "", shift_end: "",
    max_duration: "", max_distance: "", max_stops: "",
  };
}

export function emptyForm() {
  return {
    name: "",
    units: {length: "m", weight: "kg", distance: "km", time: "", cost: ""},
    conventions: {
      distance: "exact", fleet: "at-most", single_customer_routes: "allow", lifo: true, turn: "as-given",
    },
    travel: {
      metric: "euclidean", coordinates: "x/y", detour: "", decimals: "", speed: "", roads: null,
    },
    vehicles: [{...emptyKind(), width: "2.48", length: "13.6", capacity: "24000"}],
    depot: {name: "", x: "0", y: "0", lat: "", lon: "", ready: "", due: ""},
    info: [...USUAL_INFO],
    customers: [{...emptyCustomer(), info: USUAL_INFO.map(() => "")}],
  };
}

// A tick is text, too, as a spreadsheet has it; what is neither yes nor no is for the server to say.
const NO = ["", "no", "n", "off", "false", "0", "-", "nein", "falsch", "non", "faux"];

export function isTicked(text) {
  return !NO.includes(text.toLowerCase());
}

export function tickText(isTicked) {
  return isTicked ? "yes" : "";
}

function steps(path) {
  return path.match(/\w+/g);
}

export function valueAt(path, form = orders.form) {
  return steps(path).reduce((value, step) => value?.[step], form);
}

export function setAt(path, value) {
  put(orders.form, path, value);
  changed();
}

// Sets one cell without telling anybody.
export function put(owner, path, value) {
  const inner = steps(path);
  const last = inner.pop();
  inner.reduce((part, step) => part[step], owner)[last] = value;
}

export function hasTimes(form) {
  return Boolean(form.depot.ready || form.depot.due) ||
    form.customers.some((one) => one.ready || one.due || one.service);
}

export function hasDetails(form) {
  return Boolean(form.depot.name) || form.customers.some((one) => one.info.some(Boolean));
}

export function hasRules(form) {
  const rules = ["leave_out_cost", "vehicles", "not_with", "together", "position"];
  return form.customers.some((one) => rules.some((rule) => one[rule]));
}

// Takes over roads that were read for these orders; their rows are in the order of the table.
export function useRoads(roads) {
  const form = orders.form;
  form.travel = {...form.travel, metric: "matrix", roads};
  form.customers.forEach((customer, index) => {
    customer.place = String(index + 1);
  });
  changed();
}

// The orders as they are shown. What is hidden, because it does not count, stays in the page.
export function shownForm() {
  const form = {...orders.form, travel: shownTravel(orders.form.travel)};
  if (form.travel.metric === "matrix") {
    form.conventions = {...form.conventions, distance: "exact"};
  }
  if (orders.isTimed) {
    return form;
  }
  const customers = form.customers.map((one) => ({...one, ready: "", due: "", service: ""}));
  return {...form, depot: {...form.depot, ready: "", due: ""}, customers};
}

function shownTravel(travel) {
  if (travel.metric !== "matrix") {
    return {...travel, roads: null};
  }
  const speed = travel.roads?.durations ? "" : travel.speed;
  return {...travel, detour: "", decimals: "", speed};
}

export function onChange(listener) {
  listeners.push(listener);
}

export function changed() {
  listeners.forEach((listener) => listener());
}

// A closed window must not cost half an hour of typing. Returns whether it would.
export function keep() {
  try {
    localStorage.setItem(STORED, JSON.stringify(orders));
    return true;
  } catch {
    localStorage.removeItem(STORED);
    return false;
  }
}

export function kept() {
  const text = localStorage.getItem(STORED);
  if (text === null) {
    return null;
  }
  const content = JSON.parse(text);
  if (content.form === undefined) {
    // Kept by an early version, which knew no tick.
    return {form: completed(content), isTimed: hasTimes(content)};
  }
  return content.form === null ? null : {...content, form: completed(content.form)};
}

// What an earlier version has kept lacks the fields that came later.
function completed(form) {
  const empty = emptyForm();
  let whole = {...empty, ...form};
  for (const part of ["units", "conventions", "travel", "depot"]) {
    whole[part] = {...empty[part], ...form[part]};
  }
  // There was one kind of trucks only.
  const {vehicle, ...others} = whole;
  whole = others;
  whole.vehicles = (vehicle ? [vehicle] : form.vehicles).map((kind) => ({...emptyKind(), ...kind}));
  whole.customers = form.customers.map((one) => ({
    ...emptyCustomer(), info: whole.info.map(() => ""), ...one,
    items: one.items.map((item) => ({...emptyItem(), ...item})),
  }));
  return whole;
}
