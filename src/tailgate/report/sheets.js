// Printed on both sides of the paper, every truck must begin on the front of a leaf. Chromium takes
// "break-before: right" for a mere page break, so a truck with an odd number of pages is followed by
// an empty one. How many pages it has is measured in columns that are as large as the paper's type
// area: a browser breaks columns and pages alike.
"use strict";
for (const leaves of document.querySelectorAll(".leaves")) {
  const filler = leaves.querySelector(".filler");
  if (!filler) continue;
  leaves.classList.add("measured");
  const pages = Math.round(leaves.scrollWidth / leaves.clientWidth);
  leaves.classList.remove("measured");
  filler.hidden = pages % 2 === 0;
}
