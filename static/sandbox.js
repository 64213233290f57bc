// Shows what arrives without a press on Reload. Only the parts marked data-live change: no form loses its input.
const main = document.querySelector("main[data-version]");

async function look() {
  const version = await (await fetch("/version")).text();
  if (version === main.dataset.version) return;
  const page = new DOMParser().parseFromString(await (await fetch(location.pathname + location.search)).text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(part.id);
    // A reader who opened details or walks by keyboard keeps what is under the cursor until it is left.
    if (!fresh || part.contains(document.activeElement) || part.querySelector("details[open]")) return;
  }
  for (const part of document.querySelectorAll("[data-live]")) part.replaceWith(page.getElementById(part.id));
  main.dataset.version = version;
}

setInterval(() => document.hidden || look().catch(() => {}), 2000);
