// One run: live figures, the chart, the trucks of the best plan, and what can be downloaded.

import {button, byId, make, setText} from "./dom.js";
import {planTable} from "./plan_table.js";
import {get, post} from "./server.js";
import {isActive, statusText, timeText} from "./run_texts.js";

const shown = {number: null, parts: null, plan: null, buttons: "", chart: null};

export function hideDetail() {
  byId("detail").hidden = true;
  shown.number = null;
}

export async function showDetail(number, {onChange, onEdit}) {
  const content = await get(`/api/jobs/${number}`);
  if (shown.number !== number) {
    Object.assign(shown, {number, parts: skeleton(), plan: null, buttons: "", chart: null});
    byId("detail").replaceChildren(shown.parts.root);
    byId("detail").hidden = false;
  }
  const {job, chart, documents, warnings} = content;
  const parts = shown.parts;
  setText(parts.title, `Run ${job.number}: ${job.name}`);
  setText(parts.status, statusText(job));
  parts.status.className = `badge ${job.status} ${job.result_status}`;
  setText(parts.doing, doingText(job));
  parts.warnings.hidden = warnings.length === 0;
  parts.warnings.replaceChildren(...warnings.map((text) => make("li", {class: "warning"}, text)));
  const none = isActive(job) ? "none yet" : "none";
  setText(parts.cost, job.has_plan ? job.texts.objective : none);
  setText(parts.bound, job.texts.lower_bound || none);
  setText(parts.gap, job.texts.gap || "–");
  setText(parts.time, timeText(job));
  showChart(chart, parts, isActive(job));
  showButtons(job, documents, parts, {onChange, onEdit});
  await showPlan(job, parts);
}

function doingText(job) {
  if (job.status === "running") {
    if (job.doing === "a better plan") {
      return "Found a better plan; searching on.";
    }
    return job.doing ? `Now: ${job.doing}.` : "Starting…";
  }
  return job.message;
}

// The server draws the same chart as for the report; nothing of it is anybody's markup.
function showChart(svg, parts, isRunning) {
  const key = svg || String(isRunning);
  if (key === shown.chart) {
    return;
  }
  shown.chart = key;
  parts.chart.replaceChildren(svg
    ? new DOMParser().parseFromString(svg, "image/svg+xml").documentElement
    : isRunning ? "Waiting for the first plan and bound." : "Neither a plan nor a bound was found.");
}

function skeleton() {
  const parts = {
    title: make("h3"), status: make("span"), doing: make("p", {class: "message"}),
    warnings: make("ul", {class: "problems", "aria-label": "What looks like a mistake"}),
    problem: make("p", {class: "problem-text", role: "alert"}),
    cost: make("dd"), bound: make("dd"), gap: make("dd"), time: make("dd"),
    chart: make("div", {class: "chart-place"}), buttons: make("p", {class: "buttons"}), plan: make("div"),
  };
  const figure = (term, value, key) =>
    make("div", {class: `figure ${key}`}, make("dt", {}, term), value);
  parts.root = make("article", {class: "detail", "aria-label": "Selected run"},
    make("div", {class: "headline"}, parts.title, parts.status),
    make("dl", {class: "figures"},
      figure("Best plan costs", parts.cost, "cost"),
      figure("No plan costs less than", parts.bound, "bound"),
      figure("Gap between the two", parts.gap, "gap"),
      figure("Time", parts.time, "time")),
    parts.doing, parts.warnings, parts.buttons, parts.problem, parts.chart, parts.plan);
  return parts;
}

function showButtons(job, documents, parts, {onChange, onEdit}) {
  const key = JSON.stringify([isActive(job), job.is_proven, job.has_plan]);
  if (key === shown.buttons) {
    return;
  }
  shown.buttons = key;
  const path = `/api/jobs/${job.number}`;
  const act = (action) => async () => {
    // In a place of its own: the figures are drawn again soon.
    setText(parts.problem, "");
    try {
      await action();
    } catch (error) {
      setText(parts.problem, error.message);
    }
    onChange();
  };
  const buttons = [];
  if (isActive(job)) {
    buttons.push(button("Stop and keep the best plan", act(() => post(`${path}/stop`)),
      {class: "primary"}));
  } else if (!job.is_proven) {
    buttons.push(button("Continue the search", act(() => post(`${path}/continue`, {
      time_limit: Number(byId("time-limit").value), gap: Number(byId("gap").value),
    }))));
  }
  buttons.push(button("Edit these orders", act(() => onEdit(job.number))));
  if (job.has_plan) {
    buttons.push(
      link("Loading sheets to print", `${path}/sheets.html?view`, {target: "_blank"}),
      link("Report", `${path}/report.html?view`, {target: "_blank"}),
      make("span", {class: "downloads"}, "Download:",
        ...documents.map((name) => link(name, `${path}/${name}`,
          {download: true, "aria-label": `Download ${name}`}))));
  }
  parts.buttons.replaceChildren(...buttons);
}

function link(text, href, attributes) {
  return make("a", {class: "button", href, rel: "noopener", ...attributes}, text);
}

async function showPlan(job, parts) {
  const key = `${job.has_plan}${job.objective}`;
  if (key === shown.plan) {
    return;
  }
  shown.plan = key;
  if (!job.has_plan) {
    parts.plan.replaceChildren();
    return;
  }
  try {
    parts.plan.replaceChildren(planTable(await get(`/api/jobs/${job.number}/plan`)));
  } catch (error) {
    parts.plan.replaceChildren(make("p", {class: "problem-text", role: "alert"}, error.message));
  }
}
