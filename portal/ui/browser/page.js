/** Parts of every page: connection, language switch, font, logout, copying, reloading, a page that broke. */
import { Component, useEffect, useState, useSyncExternalStore } from "react";
import { connectionAwaited, createStore, h, listen, useDelayed, useStore } from "$/utils/portal/common";
import { EdgeForm } from "$/utils/portal/forms";
import { fromCookie, setLanguage, useLanguage } from "$/utils/portal/language";
import { usePath } from "$/utils/portal/navigation";
import { isLeaving, sessionEnded } from "$/utils/portal/session";
import { toast } from "$/utils/portal/toasts";
import "$/utils/portal/translation";

const LANGUAGES = [
  ["nl", "NL", "Nederlands"],
  ["en", "EN", "English"],
];

/** Two buttons. With `saved` the server hears of the choice, too; texts do not wait for it. */
export const LanguageSwitch = ({ label, saved, onChoose }) => {
  const language = useLanguage();
  const choose = (chosen) => {
    setLanguage(chosen);
    if (saved) onChoose?.(chosen);
  };
  // Another tab may have switched: once this one is seen again, the names in its data follow, too.
  useEffect(
    () => listen(document, "visibilitychange", () => !document.hidden && fromCookie() !== language && choose(fromCookie())),
    [language, saved],
  );
  return h(
    "div",
    { role: "group", "aria-label": label, className: "flex" },
    LANGUAGES.map(([code, short, name]) =>
      h(
        "button",
        { key: code, type: "button", lang: code, "aria-pressed": code === language, onClick: () => choose(code), className: "language-button" },
        short,
        h("span", { className: "sr-only" }, ` ${name}`),
      ),
    ),
  );
};

const FONT = '1em "Instrument Sans Variable"';

/** Loads the font after everything that the page needs to work. The next document begins with it; the login shows it at once. */
export const LoadFont = () => {
  const loaded = () => {
    if (["/", "/login"].includes(window.location.pathname)) document.documentElement.classList.add("font-loaded");
    window.localStorage.setItem("font", "1");
  };
  useEffect(() => {
    // Safari has no requestIdleCallback.
    const later = window.requestIdleCallback ?? ((act) => setTimeout(act, 500));
    later(() => document.fonts.load(FONT).then(loaded, () => {}));
  }, []);
  return null;
};

const connection = (listener) => listen(window, "online offline", listener);
const GRACE = 800;
const THANKS = 4000;

/**
 * Says when the server cannot be reached, and when it can again; it stays in view while the page is scrolled. `lost` is
 * what the framework knows of it, `waitingText` what buttons that send say meanwhile.
 */
export const ConnectionBanner = ({ lost, offlineText, onlineText, waitingText }) => {
  const offline = useSyncExternalStore(connection, () => !navigator.onLine, () => false);
  const trouble = offline || Boolean(lost);
  const [state, setState] = useState("fine");
  useEffect(() => {
    if (trouble) {
      // A hiccup that heals by itself is not worth a banner.
      const timer = setTimeout(() => setState("lost"), GRACE);
      return () => clearTimeout(timer);
    }
    setState((before) => (before === "lost" ? "back" : before));
    const timer = setTimeout(() => setState("fine"), THANKS);
    return () => clearTimeout(timer);
  }, [trouble]);
  useEffect(() => connectionAwaited.set(state === "lost" ? waitingText : ""), [state, waitingText]);
  const text = state === "lost" ? offlineText : state === "back" ? onlineText : "";
  return h(
    "div",
    { role: "status", "data-connection": state, className: "sticky top-16 z-15" },
    text ? h("p", { className: state === "lost" ? "banner bg-warn-bg text-warn" : "banner bg-ok-bg text-ok" }, text) : null,
  );
};

const logoutFailed = createStore(false);

/** Ends the session. A failure is shown as a notification and stays readable in `LogoutFailed`. */
export const LogoutButton = ({ action, failure, className, children }) => {
  const onResult = () => {
    // An open drawer lies over everything that says so.
    document.querySelector("dialog.drawer[open]")?.close();
    logoutFailed.set(true);
    toast({ kind: "error", title: failure, text: null, timeout: 4000 });
  };
  return h(
    EdgeForm,
    { action, onSuccess: sessionEnded, onResult, className: "contents" },
    h("button", { type: "submit", className }, children),
  );
};

export const LogoutFailed = ({ children }) => {
  const failed = useStore(logoutFailed, false);
  return failed ? h("p", { className: "banner bg-err-bg text-err" }, children) : null;
};

/** Copies a value and says so for three seconds; nothing where the browser cannot, as without TLS. */
export const CopyButton = ({ value, copiedText, className, children }) => {
  const [copies, setCopies] = useState(0);
  const copied = copies > useDelayed(copies, 3000, 0);
  const [unable, setUnable] = useState(false);
  useEffect(() => setUnable(!("clipboard" in navigator)), []);
  const copy = async () => {
    await navigator.clipboard.writeText(String(value));
    setCopies((n) => n + 1);
  };
  if (unable) return null;
  return h(
    "span",
    { className: "inline-flex flex-wrap items-baseline" },
    h("span", { role: "status", className: "mr-3 text-sm text-ok font-semibold empty:mr-0" }, copied ? copiedText : ""),
    h("button", { type: "button", className, onClick: copy }, children),
  );
};

const RELOADED = "reloaded";

/** HTML of the installation; `elsewhere` when only a new document has it. */
export const OwnText = ({ html, elsewhere, className }) => {
  useEffect(() => {
    if (elsewhere) window.location.reload();
  }, [elsewhere]);
  return h("article", { className, dangerouslySetInnerHTML: { __html: html } });
};

/** Loads the page anew, so that the server decides what this visitor may see; ten seconds after the last time at the soonest. */
export const ReloadWhen = ({ when }) => {
  useEffect(() => {
    if (!when) return undefined;
    const last = Number(window.sessionStorage.getItem(RELOADED)) || 0;
    const reload = () => {
      if (isLeaving()) return;
      window.sessionStorage.setItem(RELOADED, String(Date.now()));
      window.location.reload();
    };
    const timer = setTimeout(reload, Math.min(last + 10000 - Date.now(), 10000));
    return () => clearTimeout(timer);
  }, [when]);
  return null;
};

export const ReloadButton = ({ className, children }) =>
  h("button", { type: "button", className, onClick: () => window.location.reload() }, children);

// Shows the fallback instead of a page that broke.
class Boundary extends Component {
  state = { broken: false, place: this.props.place };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  // Another page starts whole again.
  static getDerivedStateFromProps({ place }, state) {
    return place === state.place ? null : { broken: false, place };
  }

  render() {
    return this.state.broken ? this.props.fallback : this.props.children;
  }
}

/** The shell around a page; a page that breaks leaves it standing. */
export const Frame = ({ before, after, fallback, className, children }) =>
  h("div", { className }, before, h(Boundary, { fallback, place: usePath() }, children), after);
