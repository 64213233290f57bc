// The service worker, served as /sw.js with GIVEN before it: {title, body, language, key}.
// It shows what is pushed, brings a click to the right page, and renews a subscription that the browser replaced.
"use strict";

const OURS = { "X-Todoke": "service-worker" };
// A new page may take the place of these; in any other a person may be in the middle of typing.
const READING = /^\/(inbox|notifications)(\/|$)/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  // Every push ends in one notification, also one that cannot be read: Safari takes the permission back after three
  // that showed nothing.
  event.waitUntil(show(read(event.data)));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data ?? {}));
});

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event.oldSubscription, event.newSubscription));
});

async function show(said) {
  await self.registration.showNotification(said.title, {
    body: said.body,
    tag: said.tag,
    lang: said.lang,
    icon: "/static/icon-192.png",
    data: { id: said.id, path: said.path },
  });
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  windows.forEach((one) => one.postMessage({ type: "todoke:push" }));
}

function read(data) {
  const given = parsed(data);
  const known = words(given.title) !== "";
  return {
    title: known ? words(given.title) : GIVEN.title,
    body: known ? words(given.body) : GIVEN.body,
    tag: words(given.tag) || "todoke",
    lang: words(given.lang) || GIVEN.language,
    id: Number.isSafeInteger(given.id) && given.id > 0 ? given.id : null,
    path: words(given.path) || "/",
  };
}

function parsed(data) {
  try {
    const given = data.json();
    return given !== null && typeof given === "object" ? given : {};
  } catch {
    return {};
  }
}

function words(value) {
  return typeof value === "string" ? value : "";
}

async function open({ id, path }) {
  // Not waited for: Firefox lets a click open a window for one second only.
  const noted = id ? fetch(`/notifications/${id}/read`, { method: "POST", headers: OURS }).catch(() => {}) : null;
  await go(ours(id ? `/notifications/${id}/go` : path));
  await noted;
}

async function go(address) {
  const windows = await self.clients.matchAll({ type: "window" });
  const reading = windows.find((one) => READING.test(new URL(one.url).pathname));
  if (!reading) return self.clients.openWindow(address);
  await reading.focus();
  return reading.navigate(address);
}

// An address of this site, whatever was pushed.
function ours(path) {
  try {
    const address = new URL(path, self.location.origin);
    return address.origin === self.location.origin ? address.href : self.location.origin;
  } catch {
    return self.location.origin;
  }
}

async function renew(former, fresh) {
  const subscription = fresh ?? await self.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: former?.options.applicationServerKey ?? bytes(GIVEN.key),
  });
  const answer = await fetch("/devices/refresh", {
    method: "POST",
    redirect: "manual",
    headers: { ...OURS, "Content-Type": "application/json" },
    body: JSON.stringify({
      old: former?.endpoint ?? null,
      subscription: subscription.toJSON(),
      key: written(subscription.options.applicationServerKey),
    }),
  });
  // Whoever is signed in now never agreed to it. A page sees to everything else.
  if (answer.status === 404) await subscription.unsubscribe();
}

function bytes(key) {
  return Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
}

function written(raw) {
  return btoa(String.fromCharCode(...new Uint8Array(raw))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
