/** Small helpers of every page: connection, language switch, logout, copying, reloading, what broke. */
import { Component, createElement as h, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { setLanguage, useLanguage } from "$/utils/portal/language";
import { usePath } from "$/utils/portal/navigation";
import { follow, post } from "$/utils/portal/forms";
import { isLeaving, sessionEnded } from "$/utils/portal/session";
import { toast } from "$/utils/portal/toasts";

const LANGUAGES = [
  ["nl", "NL", "Nederlands"],
  ["en", "EN", "English"],
];

/** Two buttons. The server is `remembered` of the choice when somebody is logged in; texts do not wait for it. */
export const LanguageSwitch = ({ label, remembered, onChoose }) => {
  const language = useLanguage();
  const choose = (chosen) => {
    if (chosen === language) return;
    setLanguage(chosen);
    if (remembered) onChoose?.(chosen);
  };
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

const FACE = '1em "Instrument Sans Variable"';

/** Brings the font in, after everything that the page needs to work; from then on it is there from the beginning. */
export const WebFonts = () => {
  useEffect(() => {
    // Not before the first data are drawn: other letters mean another layout. Safari knows no idle moments.
    const later = window.requestIdleCallback ?? ((act) => setTimeout(act, 500));
    later(() => {
      document.documentElement.classList.add("lettered");
      document.fonts.load(FACE).then(() => window.localStorage.setItem("font", "1"), () => {});
    });
  }, []);
  return null;
};

const connected = (listener) => {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
};
const GRACE = 800;
const THANKS = 4000;

/** Tells that the server cannot be reached, and when it can again. `lost` is the framework's own observation. */
export const ConnectionBanner = ({ lost, offlineText, onlineText }) => {
  const offline = useSyncExternalStore(connected, () => !navigator.onLine, () => false);
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
  const text = state === "lost" ? offlineText : state === "back" ? onlineText : "";
  return h(
    "div",
    { role: "status", "data-connection": state },
    text ? h("p", { className: state === "lost" ? "banner bg-warn-bg text-warn" : "banner bg-ok-bg text-ok" }, text) : null,
  );
};

let refused = false;
const watchers = new Set();
const setRefused = (value) => {
  refused = value;
  watchers.forEach((watcher) => watcher());
};
const watch = (watcher) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** Ends the session. A failure is told by a notification and stays readable in `LogoutFailed`. */
export const LogoutButton = ({ action, failure, className, children }) => {
  const busy = useRef(false);
  const send = async (event) => {
    event.preventDefault();
    if (busy.current) return;
    busy.current = true;
    const drawer = event.target.closest("dialog");
    const answer = await post(action, {});
    busy.current = false;
    if (answer.success) sessionEnded();
    if (follow(answer)) return;
    // An open drawer lies on top of everything that is told.
    drawer?.close();
    setRefused(true);
    toast({ kind: "error", title: failure, text: null, timeout: 4000 });
  };
  return h(
    "form",
    { method: "post", action, onSubmit: send, className: "contents" },
    h("button", { type: "submit", className }, children),
  );
};

export const LogoutFailed = ({ children }) => {
  const shown = useSyncExternalStore(watch, () => refused, () => false);
  return shown ? h("p", { className: "banner bg-err-bg text-err" }, children) : null;
};

/** Copies a value and says so. */
export const CopyButton = ({ value, copiedText, className, children }) => {
  const [copied, setCopied] = useState(0);
  const copy = async () => {
    await toClipboard(String(value));
    setCopied((n) => n + 1);
  };
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(0), 3000);
    return () => clearTimeout(timer);
  }, [copied]);
  return h(
    "span",
    { className: "inline-flex flex-wrap items-center" },
    h("span", { role: "status", className: "mr-3 text-sm text-ok font-semibold empty:mr-0" }, copied ? copiedText : ""),
    h("button", { type: "button", className, onClick: copy }, children),
  );
};

// The clipboard of the browser is closed to pages that came over plain http.
const toClipboard = async (text) => {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  return undefined;
};

const RELOADED = "reloaded";

/** Loads the page anew, so that the server decides what this visitor may see. Not twice within ten seconds. */
export const ReloadWhen = ({ when }) => {
  useEffect(() => {
    if (!when || isLeaving()) return;
    const last = Number(window.sessionStorage.getItem(RELOADED)) || 0;
    if (Date.now() - last < 10000) return;
    window.sessionStorage.setItem(RELOADED, String(Date.now()));
    window.location.reload();
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
