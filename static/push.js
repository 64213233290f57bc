// Pushes on this browser: kept in step with the server on every page, switched on and off on the settings page.
// Permission is asked for only when the button there is pressed.
"use strict";
(() => {
  // key: ours; device: the hash of the endpoint that the server knows of this browser; lapsed: it once knew one.
  const given = document.currentScript.dataset;
  const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

  const post = (address, body) => fetch(address, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": "application/json", "X-CSRFToken": given.token },
    body: JSON.stringify(body),
  });

  async function held() {
    const registration = await navigator.serviceWorker.getRegistration("/");
    return registration ? registration.pushManager.getSubscription() : null;
  }

  // The address of the worker names the language of its own words; another one replaces it and keeps the subscription.
  const worker = () => navigator.serviceWorker.register(`/sw.js?language=${given.language}`);

  async function subscribe() {
    await worker();
    const registration = await navigator.serviceWorker.ready;
    return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(given.key) });
  }

  const register = (subscription, pressed) =>
    post("/devices", { subscription: subscription.toJSON(), key: given.key, pressed });

  // What was agreed to in this browser, and by whoever is signed in, stays in step; nothing else is ever registered.
  async function sync() {
    if (!able || !window.isSecureContext) return;
    if (given.device) await worker();
    const subscription = await held();
    if (!subscription) return;
    if (!given.device) return given.lapsed ? subscription.unsubscribe() : recognise(subscription);
    if (written(subscription.options.applicationServerKey) !== given.key) return resubscribe(subscription);
    if (await hash(subscription.endpoint) !== given.device) await register(subscription, false);
  }

  async function resubscribe(subscription) {
    if (Notification.permission !== "granted") return;
    await subscription.unsubscribe(); // a browser holds one subscription, for one key
    await register(await subscribe(), false);
  }

  async function recognise(subscription) {
    const answer = await post("/devices/recognise", { endpoint: subscription.endpoint });
    if (answer.status !== 200) return;
    const { whose } = await answer.json();
    if (whose !== "yours") await subscription.unsubscribe();
    if (whose !== "dropped") return;
    const told = document.createElement("p");
    told.className = "notice";
    told.textContent = given.wordDropped;
    document.getElementById("result").append(told);
  }

  const page = document.getElementById("this-device");
  const synced = sync().catch(() => {}); // the next page tries again
  if (page) synced.then(look);

  async function look() {
    const now = await state();
    page.querySelectorAll("[data-state]").forEach((part) => { part.hidden = part.dataset.state !== now; });
    const mine = browser();
    page.querySelectorAll("details[data-browser]").forEach((steps) => { steps.open = steps.dataset.browser === mine; });
  }

  async function state() {
    if (!window.isSecureContext) return "insecure";
    if (!able) return isApple() && !window.matchMedia("(display-mode: standalone)").matches ? "ios" : "unsupported";
    if (Notification.permission === "denied") return "blocked";
    if (given.device) return Notification.permission === "granted" && await held() ? "on" : "lapsed";
    return given.lapsed ? "lapsed" : "unset";
  }

  page?.addEventListener("click", (event) => {
    if (event.target.closest("[data-look]")) look();
    const button = event.target.closest("[data-enable]");
    if (button) enable(button);
  });

  async function enable(button) {
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
      if (await Notification.requestPermission() === "granted") return await agreed();
      say(Notification.permission === "denied" ? "" : given.wordNotAnswered);
    } catch {
      say(given.wordFailed);
    } finally {
      button.disabled = false;
      button.removeAttribute("aria-busy");
    }
    await look();
  }

  async function agreed() {
    let subscription = await held();
    if (subscription && written(subscription.options.applicationServerKey) !== given.key) {
      await subscription.unsubscribe();
      subscription = null;
    }
    subscription ??= await subscribe();
    const answer = await register(subscription, true);
    if (answer.status === 204) return location.replace(location.pathname);
    await subscription.unsubscribe(); // nobody would ever send there
    const { faults } = answer.status === 422 ? await answer.json() : { faults: { all: given.wordFailed } };
    say(Object.values(faults).join(" "));
  }

  function say(words) {
    const said = document.getElementById("device-said");
    said.textContent = words;
    said.hidden = words === "";
  }

  // Signing out ends the subscription in the browser, too; the server forgets the device by its cookie.
  document.querySelector("form[data-leave]")?.addEventListener("submit", async (event) => {
    const form = event.currentTarget;
    if (!able || form.elements.keep?.checked || !given.device) return;
    event.preventDefault();
    const ended = held().then((subscription) => subscription?.unsubscribe()).catch(() => {});
    await Promise.race([ended, new Promise((over) => { setTimeout(over, 1000); })]);
    form.submit();
  });

  async function hash(text) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return Array.from(new Uint8Array(digest), (one) => one.toString(16).padStart(2, "0")).join("");
  }

  function bytes(key) {
    return Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  }

  function written(raw) {
    const text = btoa(String.fromCharCode(...new Uint8Array(raw)));
    return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  // An iPad calls itself a Mac.
  function isApple() {
    return /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  }

  function browser() {
    if (/Firefox/.test(navigator.userAgent)) return "firefox";
    return /Chrome|Edg/.test(navigator.userAgent) ? "chrome" : "safari";
  }
})();
