"use strict";

// Each slider unloads the plan above it. Its texts are made with the page and only shown here.
for (const slider of document.querySelectorAll("input.unloader")) {
  const section = slider.closest("section");
  const items = section.querySelectorAll("svg.plan [data-stop]");
  const output = section.querySelector("output");
  const states = JSON.parse(slider.dataset.states);

  const show = () => {
    const here = Number(slider.value);
    for (const item of items) {
      const stop = Number(item.dataset.stop);
      item.classList.toggle("gone", stop < here);
      item.classList.toggle("leaving", stop === here);
    }
    output.textContent = states[here];
    slider.setAttribute("aria-valuetext", states[here]);
  };

  slider.addEventListener("input", show);
  slider.closest(".control").hidden = false;
  show();
}
