// What a run's state is called.

import {durationText} from "./dom.js";

const REASONS = {
  gap: "good enough", time_limit: "time is over", node_limit: "stopped at its limit",
  memory_limit: "out of memory", interrupted: "stopped", undecided: "stopped", precision: "stopped",
  lp_failure: "the LP solver failed",
};

export function statusText(job) {
  switch (job.status) {
    case "waiting": return "waiting for its turn";
    case "running": return "searching";
    case "interrupted": return "interrupted";
    case "failed": return "broke down";
  }
  switch (job.result_status) {
    case "optimal": return "proven cheapest";
    case "infeasible": return "proven: no plan exists";
    case "bound_only": return `${REASONS[job.reason]}, no plan found`;
  }
  return REASONS[job.reason] ?? job.reason;
}

export function isActive(job) {
  return job.status === "waiting" || job.status === "running";
}

export function timeText(job) {
  return durationText(job.seconds);
}
