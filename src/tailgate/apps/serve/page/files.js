// Files that are dropped or chosen, folders included.

import {byId} from "./dom.js";
import {orders, shownForm} from "./form.js";
import {post} from "./server.js";

// Calls back with the form, or the roads for the one that is there, and notes of what was read; or
// with a sentence of what went wrong.
export function watchFiles(onRead, onProblem) {
  const drop = byId("drop");
  const read = async (files, wantsRoads = false) => {
    try {
      onProblem("Reading…");
      const found = await readFiles(await files);
      if (wantsRoads && found.form) {
        throw new Error("This file holds orders, not roads; drop it onto the page to use them.");
      }
      onRead(found);
    } catch (error) {
      onProblem(error.message);
    }
  };
  const inputs = [["choose-files", "files"], ["choose-folder", "folder"], ["choose-roads", "road-files"]];
  for (const [buttonId, inputId] of inputs) {
    const input = byId(inputId);
    byId(buttonId).addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      const chosen = [...input.files].map((file) => ({
        name: file.webkitRelativePath || file.name, file,
      }));
      // The same file again, mended meanwhile, must count as a change.
      input.value = "";
      if (chosen.length > 0) {
        read(chosen, inputId === "road-files");
      }
    });
  }
  // The whole window: a file that misses the frame must not replace the page.
  window.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  window.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) {
      drop.classList.remove("over");
    }
  });
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.items.length > 0) {
      read(droppedFiles(event.dataTransfer));
    }
  });
}

async function droppedFiles(transfer) {
  const found = [];
  const entries = [];
  // Asked at once: after the event the browser has forgotten them.
  for (const item of transfer.items) {
    const entry = item.webkitGetAsEntry();
    const file = entry ? null : item.getAsFile();
    if (entry) {
      entries.push(entry);
    } else if (file) {
      // It comes from no folder, but from another program's window.
      found.push({name: file.name, file});
    }
  }
  for (const entry of entries) {
    await walk(entry, found);
  }
  return found;
}

async function walk(entry, found) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    found.push({name: entry.fullPath.replace(/^\//, ""), file});
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // A folder lists at most a hundred of its entries at a time.
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) {
      return;
    }
    for (const inner of part) {
      await walk(inner, found);
    }
  }
}

async function readFiles(files) {
  const contents = [];
  for (const {name, file} of files) {
    contents.push({name, content: await base64(file)});
  }
  const present = orders.form === null ? {} : {form: shownForm()};
  return post("/api/read", {files: contents, ...present});
}

function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}
