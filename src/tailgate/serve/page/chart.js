// Bound and best plan over time, drawn as two steps that draw near to each other.

import {durationText, makeSvg} from "./dom.js";

const WIDTH = 960;
const HEIGHT = 240;
const EDGE = {left: 64, right: 130, top: 16, bottom: 30};

// History: [seconds, lower bound, cost or null], ...
export function chart(history, seconds) {
  const svg = makeSvg("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img"},
    makeSvg("title", {}, "Cost of the best plan and proven bound over time"));
  const points = history.filter(([, bound, cost]) => bound > 0 || cost !== null);
  if (points.length === 0) {
    svg.append(text(WIDTH / 2, HEIGHT / 2, "waiting for the first plan and bound", "middle"));
    return svg;
  }
  const scale = scales(points, Math.max(seconds, points.at(-1)[0], 0.1));
  svg.append(...frame(scale));
  const bounds = points.filter(([, bound]) => bound > 0).map(([time, bound]) => [time, bound]);
  const costs = points.filter(([, , cost]) => cost !== null).map(([time, , cost]) => [time, cost]);
  svg.append(
    makeSvg("path", {class: "bound-line", d: steps(bounds, scale)}),
    makeSvg("path", {class: "cost-line", d: steps(costs, scale)}), ...names(bounds, costs, scale));
  return svg;
}

function scales(points, end) {
  const values = points.flatMap(([, bound, cost]) => [bound > 0 ? bound : null, cost])
    .filter((value) => value !== null);
  // The first bounds are far off; what counts is where the two come together.
  const top = Math.max(...values);
  const last = points.at(-1);
  const width = last[2] === null ? top : Math.max(2 * (last[2] - last[1]), 0.02 * last[2]);
  const low = Math.max(0, Math.min(top - width, Math.max(...points.map(([, bound]) => bound)) - width / 2));
  const high = last[2] === null ? top * 1.02 : Math.min(top, last[2] + width) + width * 0.1;
  const inner = {width: WIDTH - EDGE.left - EDGE.right, height: HEIGHT - EDGE.top - EDGE.bottom};
  const clamp = (value) => Math.min(Math.max(value, low), high);
  return {
    low, high, end,
    x: (time) => EDGE.left + inner.width * time / end,
    y: (value) => EDGE.top + inner.height * (1 - (clamp(value) - low) / (high - low || 1)),
  };
}

function steps(points, scale) {
  if (points.length === 0) {
    return "";
  }
  const [first, ...others] = points;
  const parts = [`M ${scale.x(first[0])} ${scale.y(first[1])}`];
  for (const [time, value] of others) {
    parts.push(`H ${scale.x(time)} V ${scale.y(value)}`);
  }
  parts.push(`H ${scale.x(scale.end)}`);
  return parts.join(" ");
}

// Beside the ends of the lines, so that colour alone does not tell them apart.
function names(bounds, costs, scale) {
  const x = WIDTH - EDGE.right + 6;
  const cost = costs.length > 0 ? scale.y(costs.at(-1)[1]) : null;
  let bound = bounds.length > 0 ? scale.y(bounds.at(-1)[1]) : null;
  if (cost !== null && bound !== null) {
    bound = Math.max(bound, cost + 16);
  }
  return [
    ...(cost === null ? [] : [text(x, cost + 4, "best plan", "start", "cost-text")]),
    ...(bound === null ? [] : [text(x, bound + 4, "proven bound", "start", "bound-text")]),
  ];
}

function frame(scale) {
  const bottom = HEIGHT - EDGE.bottom;
  const parts = [makeSvg("path", {
    class: "axis", d: `M ${EDGE.left} ${EDGE.top} V ${bottom} H ${WIDTH - EDGE.right}`,
  })];
  const digits = scale.high - scale.low < 10 ? (scale.high - scale.low < 0.5 ? 3 : 1) : 0;
  for (const share of [0, 0.5, 1]) {
    const value = scale.low + share * (scale.high - scale.low);
    const y = scale.y(value);
    parts.push(makeSvg("path", {class: "grid", d: `M ${EDGE.left} ${y} H ${WIDTH - EDGE.right}`}),
      text(EDGE.left - 6, y + 4, value.toFixed(digits), "end"));
  }
  parts.push(text(EDGE.left, HEIGHT - 10, "0", "middle"),
    text(WIDTH - EDGE.right, HEIGHT - 10, durationText(scale.end), "end"));
  return parts;
}

function text(x, y, content, anchor, kind = null) {
  return makeSvg("text", {x, y, "text-anchor": anchor, class: kind}, content);
}
