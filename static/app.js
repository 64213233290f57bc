// What pages do beyond HTML and htmx. Every page works without it.
"use strict";
(() => {
  const root = document.documentElement;
  const words = document.body.dataset;
  root.classList.add("js");

  // htmx from the CDN; the local copy when the CDN is away, does not answer in 3 seconds or has other bytes than the
  // expected ones. Both are asked for from here: no other script ever waits for them.
  const { htmx, integrity, local } = document.currentScript.dataset;
  const load = (attributes) => {
    const script = Object.assign(document.createElement("script"), attributes);
    document.head.append(script);
    return script;
  };
  const cdn = load({ src: htmx, integrity, crossOrigin: "anonymous" });
  const instead = () => {
    clearTimeout(patience);
    // What the CDN still sends must not run beside the local copy: a script that moved to another document never does.
    document.implementation.createHTMLDocument().adoptNode(cdn);
    load({ src: local });
  };
  const patience = setTimeout(instead, 3000);
  cdn.addEventListener("load", () => clearTimeout(patience));
  cdn.addEventListener("error", instead);

  // Live parts ask again at each tick: never in a hidden tab, at once when it comes back, as often as this browser wants.
  const rate = document.getElementById("rate");
  if (rate) rate.value = stored("refresh") ?? rate.value;
  let ended = false;
  const tick = () => {
    if (document.visibilityState === "visible" && !ended) document.body.dispatchEvent(new CustomEvent("app:tick"));
  };
  const wanted = () => Number(rate ? rate.value : words.tick) * 1000;
  let ticking = wanted() && setInterval(tick, wanted());
  rate?.addEventListener("change", () => {
    try { localStorage.setItem("refresh", rate.value); } catch { /* It holds for this page. */ }
    clearInterval(ticking);
    ticking = wanted() && setInterval(tick, wanted());
    if (ticking) tick();
  });
  document.addEventListener("visibilitychange", () => { if (ticking) tick(); });
  // A push has arrived: what it speaks of is in the inbox by now.
  navigator.serviceWorker?.addEventListener("message", (event) => {
    if (event.data?.type === "todoke:push") { tick(); glance(); }
  });

  // The number of unread notifications, which stands on every page, may be a little older.
  const glance = () => {
    if (document.visibilityState === "visible") document.body.dispatchEvent(new CustomEvent("app:glance"));
  };
  setInterval(glance, 30000);
  document.addEventListener("visibilitychange", glance);
  document.addEventListener("htmx:after:swap", () => {
    const badge = document.getElementById("unread");
    if (!badge) return;
    const title = document.title.replace(/^\(\d+\+?\) /, "");
    document.title = badge.dataset.unread ? `(${badge.dataset.unread}) ${title}` : title;
  });

  // Three ticks in a row without an answer: say so until one comes. The end of a session is told at once.
  let failures = 0;
  const stale = (is) => document.querySelectorAll("[data-live]").forEach((part) => part.classList.toggle("stale", is));
  const heard = (well) => {
    failures = well ? 0 : failures + 1;
    document.getElementById("offline").hidden = failures < 3;
    stale(failures >= 3 || ended);
  };
  document.addEventListener("htmx:error", () => heard(false));
  document.addEventListener("htmx:after:request", (event) => {
    const { response } = event.detail.ctx;
    if (response.status === 401 && !response.headers.get("HX-Redirect")) sessionEnded();
    heard(response.status < 500);
    if (response.status === 200) updated(event.detail.ctx.sourceElement);
  });
  document.addEventListener("app:signed-out", sessionEnded);
  function sessionEnded() {
    ended = true;
    const banner = document.getElementById("signed-out");
    const way = banner.querySelector("[data-sign-in]");
    way.href = `${way.pathname}?next=${encodeURIComponent(location.pathname + location.search)}`;
    banner.hidden = false;
  }
  function updated(part) {
    const time = document.getElementById("updated");
    if (!time || !part?.closest?.("[data-live]")) return;
    const now = new Date();
    time.dateTime = now.toISOString();
    time.textContent = now.toLocaleTimeString("en-GB", { timeZone: words.zone });
  }
  document.getElementById("again")?.addEventListener("click", tick);

  // "3 minutes ago" grows older without a request.
  const units = [["year", 31536000], ["month", 2592000], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const unitOf = (seconds) => units.find(([, size]) => Math.abs(seconds) >= size) ?? units.at(-1);
  const format = new Intl.RelativeTimeFormat(root.lang);
  // Japanese is written without spaces, as the server does.
  const relative = (...span) => root.lang === "ja" ? format.format(...span).replaceAll(" ", "") : format.format(...span);
  setInterval(() => {
    document.querySelectorAll("time[data-relative]").forEach((time) => {
      const seconds = (new Date(time.dateTime) - Date.now()) / 1000;
      // As the server rounds: 59.6 minutes are an hour.
      const [, fine] = unitOf(seconds);
      const shown = Math.round(seconds / fine) * fine;
      const [unit, size] = unitOf(shown);
      time.textContent = relative(Math.round(shown / size), unit);
    });
  }, 30000);

  // A form is sent once, however often its button is pressed.
  const before = new WeakMap();
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = "yes";
    const button = event.submitter;
    if (!button) return;
    // Disabled only after the browser has read the form, or the button's own value would be missing.
    setTimeout(() => {
      button.style.setProperty("min-width", `${button.offsetWidth}px`);
      button.setAttribute("aria-busy", "true");
      button.disabled = true;
      if (!button.dataset.busy) return;
      before.set(button, [...button.childNodes]);
      button.replaceChildren(button.dataset.busy);
    });
  });
  // What htmx sent may be sent again when its answer is there, and what became of it is said.
  document.addEventListener("htmx:finally:request", (event) => {
    const form = event.detail.ctx.sourceElement;
    if (!(form instanceof HTMLFormElement)) return;
    delete form.dataset.sent;
    form.querySelectorAll("[aria-busy]").forEach((button) => {
      button.disabled = false;
      button.removeAttribute("aria-busy");
      if (before.has(button)) button.replaceChildren(...before.get(button));
    });
    const { status } = event.detail.ctx.response ?? {};
    if (!status || (status >= 400 && status !== 409 && status !== 401)) say(words.wordNotDone);
  });
  const say = (sentence) => {
    const said = Object.assign(document.createElement("p"), { className: "notice", textContent: sentence });
    document.getElementById("result").replaceChildren(said);
  };
  document.addEventListener("app:said", (event) => say(event.detail.words));
  // A page that the browser kept in memory is old, and its buttons are still busy.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  // Who enters a time means it: the choice that it belongs to is ticked.
  document.addEventListener("input", (event) => {
    const { means } = event.target.dataset;
    if (means && event.target.value) document.getElementById(means).checked = true;
  });

  // How many shifts are ticked, and ticking many without asking for the page anew.
  document.querySelectorAll("form[data-ticks]").forEach((form) => {
    const boxes = [...form.querySelectorAll("[name=ids]")];
    const chosen = form.querySelector("[data-chosen]");
    if (!chosen) return;
    const count = () => {
      const ticked = boxes.filter((box) => box.checked).length;
      chosen.textContent = chosen.dataset.chosen.replace("{}", ticked);
    };
    form.addEventListener("change", count);
    form.addEventListener("click", (event) => {
      const link = event.target.closest("[data-choose]");
      if (!link) return;
      event.preventDefault();
      const which = link.dataset.choose;
      boxes.forEach((box) => { box.checked = which === "all" || (which === "drafts" && "draft" in box.dataset); });
      count();
    });
    count();
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-copy]");
    if (!button) return;
    const said = await copy(button.dataset.copy) ? words.wordCopied : words.wordNotCopied;
    document.getElementById("said").textContent = button.textContent = said;
    setTimeout(() => { button.textContent = words.wordCopy; }, 2000);
  });

  // A browser may forbid storing anything; then what was chosen holds for this page.
  function stored(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyBySelection(text);
    }
  }

  // Browsers give the clipboard only to https and to this machine; selecting still works elsewhere.
  function copyBySelection(text) {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "visually-hidden";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
})();
