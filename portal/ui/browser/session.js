/** Keeps the tabs of one browser in step: logged out here is logged out everywhere, and nobody is cut off unwarned. */
import { useEffect, useSyncExternalStore } from "react";
import { post } from "$/utils/portal/forms";
import { usePath } from "$/utils/portal/navigation";

const CHANNEL = "portal-session";
const LOGOUT = "/auth/logout";
const TYPED = "login";
const VISITOR_PAGES = ["/", "/login/token", "/login/password"];

let channel = null;
// Server rendering knows the class as well, and would wait for it to be closed.
const tabs = () => (channel ??= typeof window === "undefined" ? null : new BroadcastChannel(CHANNEL));

const path = () => window.location.pathname.replace(/\/+$/, "") || "/";

// What is on the screen is not to be seen again by going back in the history.
const leave = (act) => {
  document.body.hidden = true;
  act();
};

let leaving = false;

/** Whether this tab is on its way out already: an answer of the server that says so, too, must not send it elsewhere. */
export const isLeaving = () => leaving;

/** Tell the other tabs that the session was ended here; call it before leaving the page. */
export const sessionEnded = () => {
  leaving = true;
  tabs()?.postMessage({ kind: "ended" });
  document.body.hidden = true;
};

const NONE = Object.freeze({ kind: "", minutes: 0 });
let shown = NONE;
const watchers = new Set();
const show = (kind, minutes) => {
  if (kind === shown.kind && minutes === shown.minutes) return;
  shown = kind ? { kind, minutes } : NONE;
  watchers.forEach((watcher) => watcher());
};
const watch = (watcher) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** What to warn of: `idle` when the session can be extended, `final` when it cannot, and in how many minutes it ends. */
export const useSessionEnd = () => useSyncExternalStore(watch, () => shown, () => NONE);

let usedUntil = 0;

const endByItself = async () => {
  leaving = true;
  const answer = await post(LOGOUT, { next: window.location.pathname + window.location.search });
  tabs()?.postMessage({ kind: "ended" });
  leave(() => (answer.success ? window.location.replace(answer.data.next) : window.location.reload()));
};

/** Watches the end of the session. `idleUntil` and `expiresAt` come from the server; `notice` is in seconds. */
export const SessionWatch = ({ authenticated, idleUntil, expiresAt, notice }) => {
  useEffect(() => {
    const hear = ({ data }) => {
      if (data?.kind === "ended" && authenticated) leave(() => window.location.reload());
      if (data?.kind === "begun" && !authenticated && VISITOR_PAGES.includes(path())) window.location.reload();
      if (data?.kind === "used") usedUntil = Math.max(usedUntil, data.until);
    };
    const talk = tabs();
    talk?.addEventListener("message", hear);
    if (authenticated) {
      window.sessionStorage.removeItem(TYPED);
      talk?.postMessage({ kind: "begun" });
    }
    return () => talk?.removeEventListener("message", hear);
  }, [authenticated]);

  const here = usePath();
  useEffect(() => {
    // A page for visitors that was kept open, or reached by a link inside the portal.
    if (authenticated && VISITOR_PAGES.includes(here)) window.location.replace("/dashboard");
  }, [authenticated, here]);

  useEffect(() => {
    const until = Date.parse(idleUntil) || 0;
    if (!authenticated || !until) return;
    usedUntil = Math.max(usedUntil, until);
    tabs()?.postMessage({ kind: "used", until });
  }, [authenticated, idleUntil]);

  useEffect(() => {
    if (!authenticated || !expiresAt) return undefined;
    let ending = false;
    const look = () => {
      const end = Math.min(usedUntil || Infinity, Date.parse(expiresAt));
      const left = (end - Date.now()) / 1000;
      if (left <= 0 && !ending) {
        ending = true;
        endByItself();
      }
      const kind = left <= notice ? (end < Date.parse(expiresAt) ? "idle" : "final") : "";
      show(kind, kind ? Math.max(1, Math.ceil(Math.max(left, 0) / 60)) : 0);
    };
    look();
    const timer = setInterval(look, 1000);
    return () => {
      clearInterval(timer);
      show("", 0);
    };
  }, [authenticated, expiresAt, notice]);

  useEffect(() => {
    // A page that the browser kept as it was left may belong to a session that is over.
    const wake = (event) => event.persisted && leave(() => window.location.reload());
    window.addEventListener("pageshow", wake);
    return () => window.removeEventListener("pageshow", wake);
  }, []);
  return null;
};
