// The list of deliveries: choosing rows, and a file whose progress is seen. Everything works without it.
"use strict";
(() => {
  const form = document.getElementById("bulk");
  const boxes = () => [...document.querySelectorAll("#deliveries input[name=ids]")];
  let last = null;

  const count = () => {
    const ticked = boxes().filter((box) => box.checked);
    const said = document.getElementById("chosen");
    said.textContent = ticked.length ? said.dataset.chosen.replace("{}", ticked.length) : "";
    const all = document.getElementById("tick-all");
    if (!all) return;
    all.disabled = !boxes().length;
    all.checked = ticked.length > 0 && ticked.length === boxes().length;
    all.indeterminate = ticked.length > 0 && !all.checked;
  };
  const clear = () => { boxes().forEach((box) => { box.checked = false; }); count(); };

  if (form) {
    document.addEventListener("click", (event) => {
      const box = event.target;
      if (box.id === "tick-all") boxes().forEach((one) => { one.checked = box.checked; });
      if (box.name === "ids") {
        // With Shift: all from the one ticked before to this one.
        const before = event.shiftKey ? boxes().findIndex((one) => one.id === last) : -1;
        if (before >= 0) {
          const here = boxes().indexOf(box);
          boxes().slice(Math.min(before, here), Math.max(before, here) + 1).forEach((one) => { one.checked = box.checked; });
        }
        last = box.id;
      }
      if (box.id === "tick-all" || box.name === "ids") count();
    });
    form.addEventListener("reset", (event) => { event.preventDefault(); clear(); });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.isComposing) clear();
    });
    // A row may have moved on, and its box with it.
    document.addEventListener("htmx:after:swap", count);
    window.addEventListener("pageshow", count);
  }

  // The button that was pressed is gone with its row's old state: the reader goes on from that row.
  document.addEventListener("htmx:after:swap", (event) => {
    const row = event.detail.ctx.target;
    if (row?.matches?.("tr") && document.activeElement === document.body) row.querySelector("[id^=show-]")?.focus();
  });

  const link = document.getElementById("export");
  const stop = document.getElementById("export-stop");
  const said = document.getElementById("exported");
  const written = (number) => number.toLocaleString("en-US");

  // Read by a script, so that a long one can be watched and stopped. A row is a line: the server sees to that.
  link?.addEventListener("click", async (event) => {
    event.preventDefault();
    if (link.hasAttribute("aria-busy")) return;
    link.setAttribute("aria-busy", "true");
    const stopped = new AbortController();
    stop.onclick = () => stopped.abort();
    stop.hidden = false;
    try {
      const answer = await fetch(link.href, { signal: stopped.signal });
      if (!answer.ok) throw new Error(answer.status);
      if (answer.redirected) document.dispatchEvent(new CustomEvent("app:signed-out"));
      else await take(answer);
    } catch {
      said.textContent = stopped.signal.aborted ? "" : link.dataset.wordFailed;
    }
    stop.hidden = true;
    link.removeAttribute("aria-busy");
  });

  async function take(answer) {
    const { parts, rows } = await read(answer.body);
    save(new Blob(parts, { type: "text/csv" }), answer.headers.get("Content-Disposition").split("filename=")[1]);
    said.textContent = link.dataset.wordDone.replace("{}", written(rows));
  }

  async function read(body) {
    const parts = [];
    let lines = 0;
    for (const reader = body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return { parts, rows: lines - 1 };
      parts.push(value);
      for (const byte of value) if (byte === 10) lines += 1;
      said.textContent = link.dataset.wordRead.replace("{}", written(lines - 1));
    }
  }

  function save(blob, name) {
    const way = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    way.click();
    setTimeout(() => URL.revokeObjectURL(way.href), 60000);
  }
})();
