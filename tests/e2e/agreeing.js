// A browser whose push service is the test's own: `subscribe` gives what the test prepared, and keeps it as a browser does.
(() => {
  const KEPT = "the test's subscription";
  const kept = () => JSON.parse(localStorage.getItem(KEPT));
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const alive = (one) => one && {
    endpoint: one.endpoint,
    options: { applicationServerKey: bytes(one.key).buffer },
    toJSON: () => ({ endpoint: one.endpoint, keys: one.keys }),
    unsubscribe: async () => { localStorage.removeItem(KEPT); return true; },
  };
  PushManager.prototype.getSubscription = async () => alive(kept());
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly) throw new TypeError("silent pushes are not allowed");
    const key = btoa(String.fromCharCode(...applicationServerKey));
    const written = key.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    localStorage.setItem(KEPT, JSON.stringify({ ...PREPARED, key: written }));
    return alive(kept());
  };
})();
