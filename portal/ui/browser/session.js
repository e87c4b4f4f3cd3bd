/** Keeps the tabs of one browser in step: who logs out in one is logged out in all, and everybody is warned before the end. */
import { useEffect } from "react";
import { createStore, everySecond, forgetTyped, listen, useStore } from "$/utils/portal/common";
import { post } from "$/utils/portal/forms";
import { trimmed, usePath } from "$/utils/portal/navigation";

const CHANNEL = "portal-session";
const LOGOUT = "/auth/logout";
/** Where the forms of the login keep what was typed, in the storage of the tab. */
export const TYPED = "login";
const VISITOR_PAGES = ["/", "/login/token", "/login/password"];

let channel = null;
// Prerendering knows the class as well, and would wait until it is closed.
const tabs = () => (channel ??= typeof window === "undefined" ? null : new BroadcastChannel(CHANNEL));

// Going back in the history must not show again what is on the screen.
const leave = (act) => {
  document.body.hidden = true;
  act();
};

let leaving = false;

/** Whether this tab is leaving already: an answer of the server that the session is over must not send it elsewhere. */
export const isLeaving = () => leaving;

/** Tells the other tabs that the session ended here; called before the page is left. */
export const sessionEnded = () => {
  leaving = true;
  tabs()?.postMessage({ kind: "ended" });
  document.body.hidden = true;
};

const NONE = Object.freeze({ kind: "", minutes: 0 });
const warning = createStore(NONE);
const show = (kind, minutes) => {
  const before = warning.get();
  if (kind !== before.kind || minutes !== before.minutes) warning.set(kind ? { kind, minutes } : NONE);
};

/** What to warn of: `idle` when the session can be extended, `final` when it cannot, and in how many minutes it ends. */
export const useSessionEnd = () => useStore(warning, NONE);

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
      if (data?.kind === "begun" && !authenticated && VISITOR_PAGES.includes(trimmed(window.location.pathname))) window.location.reload();
      if (data?.kind === "used") usedUntil = Math.max(usedUntil, data.until);
    };
    const talk = tabs();
    const stop = listen(talk, "message", hear);
    if (authenticated) {
      window.sessionStorage.removeItem(TYPED);
      talk?.postMessage({ kind: "begun" });
    }
    return stop;
  }, [authenticated]);

  const here = usePath();
  useEffect(() => {
    // Without a session nothing of a customer stays in the tab.
    if (!authenticated && VISITOR_PAGES.includes(here)) forgetTyped();
    // A page for visitors that stayed open, or was reached by a link inside the portal.
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
    const stop = everySecond(look);
    return () => {
      stop();
      show("", 0);
    };
  }, [authenticated, expiresAt, notice]);

  // A page that the browser brings back as it was left may belong to a session that is over.
  useEffect(() => listen(window, "pageshow", (event) => event.persisted && leave(() => window.location.reload())), []);
  return null;
};
