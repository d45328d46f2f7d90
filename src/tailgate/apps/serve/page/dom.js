// Making and finding elements. Text from people is only ever set as text, never as markup.

export function byId(id) {
  return document.getElementById(id);
}

// make("td", {class: "number", onclick: f}, "text", element, ...)
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function button(text, onclick, attributes = {}) {
  return make("button", {type: "button", onclick, ...attributes}, text);
}

// Leaves what is equal alone, so that a screen reader does not say it again.
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

export function durationText(seconds) {
  // Rounded before it is taken apart: there is no sixtieth second.
  const tenths = Math.round(10 * seconds);
  if (tenths < 100) {
    return `${(tenths / 10).toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  if (whole < 90) {
    return `${whole} s`;
  }
  const minutes = Math.floor(whole / 60);
  if (minutes < 90) {
    return `${minutes} min ${whole % 60} s`;
  }
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function withUnit(text, unit) {
  return unit ? `${text} ${unit}` : text;
}

export function percentText(share) {
  return `${Math.round(100 * share)} %`;
}
