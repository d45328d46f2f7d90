// Where the page starts.

import {byId, setText} from "./dom.js";
import {startOrders, validForm} from "./orders.js";
import {refresh, select} from "./runs.js";
import {post} from "./server.js";

byId("start").addEventListener("click", async () => {
  const message = byId("start-message");
  setText(message, "");
  byId("start").disabled = true;
  try {
    const options = {
      time_limit: Number(byId("time-limit").value), gap: Number(byId("gap").value),
      leave_out: byId("leave-out").value || null,
    };
    const form = await validForm(options.leave_out === "number");
    const {number} = await post("/api/jobs", {form, options});
    select(number);
    byId("runs").scrollIntoView({behavior: "smooth"});
  } catch (error) {
    setText(message, error.message);
  } finally {
    byId("start").disabled = false;
  }
});

startOrders();
refresh();
