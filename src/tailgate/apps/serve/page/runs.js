// The list of runs, kept up to date as long as the page is open.

import {button, byId, make, setText} from "./dom.js";
import {showComparison} from "./compare.js";
import {hideDetail, showDetail} from "./detail.js";
import {show as showOrders} from "./orders.js";
import {get, remove} from "./server.js";
import {isActive, statusText, timeText} from "./run_texts.js";

const QUICK = 700;
const SLOW = 4000;
const compared = new Set();
let selected = null;
let timer = null;
let listed = "";
let asked = 0;
let problem = "";

export async function refresh() {
  clearTimeout(timer);
  asked += 1;
  const mine = asked;
  let jobs = [];
  try {
    const state = await get("/api/state");
    if (mine !== asked) {
      return;
    }
    jobs = state.jobs.reverse();
    setText(byId("version"), state.version);
    limitTimes(state.limits.seconds);
    setText(byId("connection"), [...new Set([state.trouble, problem])].join(" ").trim());
    setText(byId("notices"), state.notices.join(" "));
    showList(jobs);
    await showSelected(jobs);
  } catch (error) {
    setText(byId("connection"), error.message);
  }
  // Somebody may have asked again meanwhile, and goes on in our place.
  if (mine === asked) {
    timer = setTimeout(refresh, jobs.some(isActive) ? QUICK : SLOW);
  }
}

export function select(number) {
  selected = number;
  refresh();
}

function limitTimes(seconds) {
  for (const option of byId("time-limit").options) {
    option.disabled = Number(option.value) > seconds;
  }
}

async function showSelected(jobs) {
  if (!jobs.some((job) => job.number === selected)) {
    selected = (jobs.find(isActive) ?? jobs[0])?.number ?? null;
    markSelected();
  }
  if (selected === null) {
    hideDetail();
  } else {
    await showDetail(selected, {onChange: refresh, onEdit: editOrders});
  }
}

function showList(jobs) {
  byId("no-runs").hidden = jobs.length > 0;
  byId("run-list").hidden = jobs.length === 0;
  [...compared].filter((number) => !jobs.some((job) => job.number === number))
    .forEach((number) => compared.delete(number));
  // Drawn again only when something has changed: the focus must not get lost for nothing.
  const rows = jobs.map((job) => [job.number, job.name, statusText(job), job.texts.objective,
    job.texts.lower_bound, job.texts.gap, timeText(job), isActive(job)]);
  const text = JSON.stringify([rows, selected]);
  if (text === listed) {
    return;
  }
  listed = text;
  const focused = document.activeElement?.id;
  byId("run-rows").replaceChildren(...jobs.map(row));
  if (focused?.startsWith("run-")) {
    byId(focused)?.focus();
  }
}

function markSelected() {
  byId("run-rows").querySelectorAll("tr").forEach((element) => {
    element.classList.toggle("selected", element.dataset.number === String(selected));
  });
}

function row(job) {
  const number = job.number;
  const tick = make("input", {
    type: "checkbox", id: `run-${number}-compare`, "aria-label": `Compare run ${number}`,
    onchange: (event) => {
      event.target.checked ? compared.add(number) : compared.delete(number);
      compare();
    },
  });
  tick.checked = compared.has(number);
  const actions = [
    button("Show", () => select(number), {id: `run-${number}-show`, "aria-label": `Show run ${number}`}),
    isActive(job) ? null : button("Delete", () => deleteRun(job),
      {id: `run-${number}-delete`, class: "quiet", "aria-label": `Delete run ${number}`}),
  ];
  return make("tr", {"data-number": number, class: number === selected ? "selected" : ""},
    make("td", {}, tick),
    make("td", {class: "number"}, String(number)),
    make("td", {class: "name"}, job.name),
    make("td", {}, make("span", {class: `badge ${job.status} ${job.result_status}`}, statusText(job))),
    make("td", {class: "number"}, job.texts.objective || "–"),
    make("td", {class: "number"}, job.texts.lower_bound || "–"),
    make("td", {class: "number"}, job.texts.gap || "–"),
    make("td", {class: "number"}, timeText(job)),
    make("td", {class: "actions"}, ...actions));
}

// What could not be done is shown until the next attempt.
async function attempt(action) {
  problem = "";
  try {
    await action();
  } catch (error) {
    problem = error.message;
  }
  refresh();
}

function compare() {
  attempt(() => showComparison([...compared].sort((a, b) => a - b)));
}

function deleteRun(job) {
  if (window.confirm(`Delete run ${job.number} (${job.name}) and its plan?`)) {
    attempt(async () => {
      await remove(`/api/jobs/${job.number}`);
      compared.delete(job.number);
      await showComparison([...compared].sort((a, b) => a - b));
    });
  }
}

async function editOrders(number) {
  const {form} = await get(`/api/jobs/${number}/form`);
  showOrders(form, `The orders of run ${number}. Changes make a new run; this one stays as it is.`);
  byId("orders").scrollIntoView();
}
