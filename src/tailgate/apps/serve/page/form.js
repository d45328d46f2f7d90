// The orders as the page holds them: every cell is text under a path such as
// "customers[3].items[0].width", the same path by which the server names a problem.

const STORED = "tailgate-orders";
const listeners = [];

// What was typed, and whether its times count: without the tick they are neither sent nor saved.
export const orders = {form: null, isTimed: false};

export function emptyCustomer() {
  return {
    name: "", x: "", y: "", weight: "", ready: "", due: "", service: "",
    items: [emptyItem()],
  };
}

export function emptyItem() {
  return {name: "", width: "", length: "", quantity: "1"};
}

export function emptyForm() {
  return {
    name: "",
    units: {length: "m", weight: "kg", distance: "km"},
    conventions: {
      distance: "exact", fleet: "at-most", single_customer_routes: "allow", lifo: true,
    },
    vehicle: {width: "2.48", length: "13.6", capacity: "24000", count: "1"},
    depot: {x: "0", y: "0", ready: "", due: ""},
    customers: [emptyCustomer()],
  };
}

function steps(path) {
  return path.match(/\w+/g);
}

export function valueAt(path) {
  return steps(path).reduce((value, step) => value?.[step], orders.form);
}

export function setAt(path, value) {
  const inner = steps(path);
  const last = inner.pop();
  const parent = inner.reduce((part, step) => part[step], orders.form);
  parent[last] = value;
  changed();
}

export function hasTimes(form) {
  return Boolean(form.depot.ready || form.depot.due) ||
    form.customers.some((one) => one.ready || one.due || one.service);
}

// The orders as they are shown. Times that are hidden stay in the page, for the tick to bring back.
export function shownForm() {
  const form = orders.form;
  if (orders.isTimed) {
    return form;
  }
  const customers = form.customers.map((one) => ({...one, ready: "", due: "", service: ""}));
  return {...form, depot: {...form.depot, ready: "", due: ""}, customers};
}

export function onChange(listener) {
  listeners.push(listener);
}

export function changed() {
  listeners.forEach((listener) => listener());
}

// A closed window must not cost half an hour of typing.
export function keep() {
  try {
    localStorage.setItem(STORED, JSON.stringify(orders));
  } catch {
    localStorage.removeItem(STORED);
  }
}

export function kept() {
  const text = localStorage.getItem(STORED);
  const content = text === null ? null : JSON.parse(text);
  if (content === null || content.form !== undefined) {
    return content;
  }
  // Kept by an earlier version, which knew no tick.
  return {form: content, isTimed: hasTimes(content)};
}
