// Making and finding elements. Text from people is only ever set as text, never as markup.

export function byId(id) {
  return document.getElementById(id);
}

// make("td", {class: "number", onclick: f}, "text", element, ...)
export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function makeSvg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
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
  if (seconds < 10) {
    return `${seconds.toFixed(1)} s`;
  }
  if (seconds < 90) {
    return `${Math.round(seconds)} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 90) {
    return `${minutes} min ${Math.round(seconds % 60)} s`;
  }
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function withUnit(text, unit) {
  return unit ? `${text} ${unit}` : text;
}

export function percentText(share) {
  return `${Math.round(100 * share)} %`;
}
