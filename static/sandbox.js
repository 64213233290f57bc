// Shows what arrives without a press on Reload. Only the parts marked data-live change: no form loses its input.
const main = document.querySelector("main[data-version]");

async function look() {
  const version = await (await fetch("/version")).text();
  if (version === main.dataset.version) return;
  const html = await (await fetch("/" + location.search)).text();
  const page = new DOMParser().parseFromString(html, "text/html");
  const focus = document.activeElement;
  for (const part of document.querySelectorAll("[data-live]")) renew(part, page.getElementById(part.id));
  if (focus.isConnected) focus.focus({ preventScroll: true });
  main.dataset.version = version;
}

// A call never changes once it is shown: its old element stays, and with it what the reader opened there.
function renew(part, fresh) {
  for (const call of fresh.querySelectorAll("article")) {
    const shown = document.getElementById(call.id);
    if (shown) call.replaceWith(shown);
  }
  part.replaceChildren(...fresh.childNodes);
}

setInterval(() => document.hidden || look().catch(() => {}), 2000);
