/**
 * Notifications (part-1 §4): ten at most, a further one is dropped; each leaves after its time; time stands still under
 * the pointer, with the focus inside and in a hidden tab. Items come from the server, or from `toast()` when the
 * server cannot be reached.
 */
import { createElement as h, useEffect, useRef, useState } from "react";
import { spoken, useLanguage } from "$/utils/portal/language";

const LIMIT = 10;
const NEVER = -1;

const SHOWN = "toast-shown";
const shownBefore = () => Number(window.sessionStorage.getItem(SHOWN)) || 0;

const arrivals = new Set();
let counter = 0;

/** Show a notification that the browser itself makes. `title` and `text` hold both languages. */
export const toast = (item) => arrivals.forEach((arrive) => arrive({ ...item, id: `browser-${(counter += 1)}` }));

/** What is shown after new items came: those that fit, and those that have to be dropped. */
export const admit = (shown, arrived, limit = LIMIT) => {
  const free = Math.max(0, limit - shown.length);
  return { shown: [...shown, ...arrived.slice(0, free)], dropped: arrived.slice(free) };
};

const useHiddenTab = () => {
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    const follow = () => setHidden(document.visibilityState === "hidden");
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => document.removeEventListener("visibilitychange", follow);
  }, []);
  return hidden;
};

// Calls `done` once `milliseconds` have passed, not counting the time in which it was paused.
const useCountdown = (milliseconds, paused, done) => {
  const left = useRef(milliseconds);
  useEffect(() => {
    if (paused || milliseconds === NEVER) return undefined;
    const started = Date.now();
    const timer = setTimeout(done, left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - started;
    };
  }, [paused]);
};

const STYLES = {
  error: "border-err-line bg-err-bg text-err",
  success: "border-ok-line bg-ok-bg text-ok",
  info: "border-info-line bg-info-bg text-info",
};
const MARKS = { error: "M12 7v6m0 4h.01", success: "m7 12.5 3.5 3.5L17 9", info: "M12 11v6m0-10h.01" };

const Toast = ({ item, paused, closeLabel, onLeave }) => {
  const language = useLanguage();
  const before = useRef(null);
  useCountdown(item.timeout, paused, () => onLeave(item.id, null));
  const title = spoken(language, item.title);
  const text = spoken(language, item.text);
  const close = () => onLeave(item.id, before.current);
  return h(
    "li",
    {
      "data-toast": item.kind,
      className: `toast ${STYLES[item.kind] ?? STYLES.info}`,
      onFocus: (event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) before.current = event.relatedTarget;
      },
      onKeyDown: (event) => event.key === "Escape" && close(),
    },
    h(
      "svg",
      { viewBox: "0 0 24 24", className: "size-6 shrink-0", fill: "none", stroke: "currentColor", strokeWidth: 2, strokeLinecap: "round", strokeLinejoin: "round", "aria-hidden": true },
      h("circle", { cx: 12, cy: 12, r: 10 }),
      h("path", { d: MARKS[item.kind] ?? MARKS.info }),
    ),
    h(
      "div",
      { className: "grow min-w-0 text-ink" },
      h("p", { className: "font-semibold" }, title),
      text ? h("p", null, text) : null,
    ),
    h(
      "button",
      { type: "button", className: "icon-button -my-2 -mr-2 text-ink", "aria-label": `${closeLabel}: ${title}`, onClick: close },
      h(
        "svg",
        { viewBox: "0 0 24 24", className: "size-5", fill: "none", stroke: "currentColor", strokeWidth: 2, strokeLinecap: "round", "aria-hidden": true },
        h("path", { d: "M6 6 18 18M18 6 6 18" }),
      ),
    ),
  );
};

/** The corner of the page in which notifications appear. Its live regions are there before the first of them. */
export const Toaster = ({ items, onDismiss, closeLabel }) => {
  const [shown, setShown] = useState([]);
  const current = useRef(shown);
  const seen = useRef(new Set());
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const paused = useHiddenTab() || hovered || focused;
  const region = useRef(null);

  const put = (next) => {
    current.current = next;
    setShown(next);
  };
  const tell = (id) => typeof id === "number" && onDismiss?.(id);
  const arrive = (arrived) => {
    const { shown: next, dropped } = admit(current.current, arrived);
    if (next.length !== current.current.length) put(next);
    dropped.forEach((item) => tell(item.id));
  };

  useEffect(() => {
    const listener = (item) => arrive([item]);
    arrivals.add(listener);
    return () => arrivals.delete(listener);
  });
  useEffect(() => {
    const ids = new Set((items ?? []).map((item) => item.id));
    const kept = current.current.filter((item) => typeof item.id !== "number" || ids.has(item.id));
    if (kept.length !== current.current.length) put(kept);
    const fresh = (items ?? []).filter((item) => !seen.current.has(item.id));
    if (!fresh.length) return;
    fresh.forEach((item) => seen.current.add(item.id));
    // Shown already before the page was loaded anew, and meant for a moment only: not again. Ids only go up.
    const last = shownBefore();
    const stale = (item) => item.id <= last && item.timeout !== NEVER;
    fresh.filter(stale).forEach((item) => tell(item.id));
    window.sessionStorage.setItem(SHOWN, String(Math.max(last, ...fresh.map((item) => item.id))));
    arrive(fresh.filter((item) => !stale(item)));
  }, [items]);

  const leave = (id, before) => {
    const hadFocus = region.current?.contains(document.activeElement);
    put(current.current.filter((item) => item.id !== id));
    tell(id);
    if (!current.current.length) setHovered(false);
    // Closing by hand must not throw the focus away.
    if (hadFocus) {
      setFocused(false);
      if (before?.isConnected) before.focus({ preventScroll: true });
    }
  };
  const list = (items_, role) =>
    h(
      "div",
      { role, "aria-live": role === "alert" ? "assertive" : "polite", "aria-atomic": false },
      h(
        "ul",
        { className: "contents" },
        items_.map((item) => h(Toast, { key: item.id, item, paused, closeLabel, onLeave: leave })),
      ),
    );
  return h(
    "div",
    {
      ref: region,
      className: "toasts",
      "data-toasts": true,
      onMouseEnter: () => setHovered(true),
      onMouseLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: (event) => event.currentTarget.contains(event.relatedTarget) || setFocused(false),
    },
    list(shown.filter((item) => item.kind === "error"), "alert"),
    list(shown.filter((item) => item.kind !== "error"), "status"),
  );
};
