// Asking the server. Whatever goes wrong ends in an Error whose message a person can read.

export class Refusal extends Error {
  constructor(message, path) {
    super(message);
    this.path = path;
  }
}

async function ask(method, path, body) {
  const request = {method, headers: {}, cache: "no-store"};
  if (method !== "GET") {
    request.headers["X-Tailgate"] = "1";
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body ?? {});
  }
  let response;
  try {
    response = await fetch(path, request);
  } catch {
    throw new Error("The server does not answer. Is tailgate serve still running?");
  }
  if (!response.ok) {
    let content = {};
    try {
      content = await response.json();
    } catch {
      content = {error: `The server answered ${response.status}.`};
    }
    throw new Refusal(content.error, content.path ?? null);
  }
  return response;
}

export async function get(path) {
  return (await ask("GET", path)).json();
}

export async function post(path, body) {
  return (await ask("POST", path, body)).json();
}

export async function remove(path) {
  await ask("DELETE", path);
}

// Asks for a file with a body, and has the browser save it.
export async function save(path, body, name) {
  const blob = await (await ask("POST", path, body)).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
