// The inbox beyond HTML and htmx: single keys, ticks, the toast that goes away, and where the focus goes.
"use strict";
(() => {
  const inbox = document.getElementById("inbox");
  if (!inbox) return;
  const rows = () => [...inbox.querySelectorAll("[data-row]")];
  const opener = (row) => row?.querySelector(".open");
  const rowOf = (element) => element?.closest?.("[data-row]");

  // One key does one thing, unless it is typed, part of a chord, or composes a Japanese word.
  const keys = {
    j: (row) => step(row, 1),
    k: (row) => step(row, -1),
    e: (row) => press(row, "archive", "restore"),
    I: (row) => press(row, "read"),
    U: (row) => press(row, "unread"),
    x: (row) => row?.querySelector("[type=checkbox]").click(),
    "/": () => document.getElementById("q").focus(),
    "?": () => {
      document.getElementById("keys").open = true;
      document.getElementById("keys-summary").focus();
    },
  };
  document.addEventListener("keydown", (event) => {
    if (inbox.dataset.keys !== "on" || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
    // Enter on a row that a key went to is the browser's own: its button has the focus.
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!act || (event.shiftKey && /[a-z]/.test(event.key))) return;
    event.preventDefault();
    act(rowOf(document.activeElement));
  });
  const step = (row, by) => {
    const all = rows();
    const at = all.indexOf(row);
    opener(all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)])?.focus();
  };
  const press = (row, ...acts) => row?.querySelector(acts.map((act) => `[data-act=${act}]`).join())?.click();

  // How many are ticked. Rows come and go, so they are counted each time.
  const chosen = document.getElementById("chosen");
  const ticked = () => [...inbox.querySelectorAll(".tick input:checked")];
  const count = () => { chosen.textContent = chosen.dataset.chosen.replace("{}", ticked().length); };
  inbox.addEventListener("change", count);

  // The toast says what was done and goes away after ten seconds, but not from under a hand.
  const done = document.getElementById("done");
  let leaving = 0;
  const leave = () => {
    clearTimeout(leaving);
    leaving = setTimeout(() => done.matches(":hover, :focus-within") ? leave() : done.replaceChildren(), 10000);
  };
  if (done.querySelector("[data-toast]")) leave();

  // Before a swap: which row the focus is in, and what was pressed. After it: the focus, if its place is gone, goes to
  // the row that stands there now.
  let was = null;
  const remember = () => {
    const active = document.activeElement;
    const row = rowOf(active);
    if (row) was = { at: rows().indexOf(row), id: row.id, control: active.dataset.act };
    else was = active?.closest("#new, #done, #all") ? { at: 0 } : null;
  };
  const pressed = new WeakMap(); // by request: its button is often gone when the answer is in place
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    const { id, dataset } = ctx.sourceElement;
    if (dataset?.act) pressed.set(ctx, dataset.act);
    if (dataset?.act || id === "show-new") remember();
  });
  document.addEventListener("htmx:before:swap", () => { if (document.activeElement !== document.body) remember(); });
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    if (pressed.has(ctx) && ctx.response.status < 400) {
      document.querySelectorAll(".trouble, #problem").forEach((place) => place.replaceChildren());
      if (pressed.get(ctx) === "ticked") ticked().forEach((box) => { box.checked = false; });
      leave();
    }
    count();
    if (was && (document.activeElement === document.body || !document.activeElement)) focusAgain(was);
  });
  const focusAgain = ({ at, id, control }) => {
    const all = rows();
    const same = id && document.getElementById(id);
    const row = same ?? all[Math.min(at, all.length - 1)];
    const to = (same && control && row.querySelector(".acts button")) || opener(row)
      || document.getElementById("empty") || document.getElementById("inbox-title");
    to.focus({ preventScroll: Boolean(same) });
  };

  // Nobody answered at all: the row says so itself, and its button is there to try again. When ticks are answered again
  // after some that were not, it is all over, and the rows show how it stands.
  let away = false;
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    if (!away || ctx.sourceElement !== inbox || ctx.response.status >= 500) return;
    away = false;
    document.querySelectorAll("[data-unanswered]").forEach((said) => said.remove());
  });
  document.addEventListener("htmx:error", (event) => {
    const source = event.detail.ctx?.sourceElement;
    if (source === inbox) away = true;
    if (!source?.closest("[data-row], #done, #all, #ticked, #problem")) return;
    const place = rowOf(source)?.querySelector(".trouble") ?? document.getElementById("problem");
    const said = document.createElement("p");
    said.className = "notice problem";
    said.dataset.unanswered = "";
    said.textContent = inbox.dataset.wordUnsaved;
    place.replaceChildren(said);
  });
})();
