/**
 * Notifications (part-1 §4): ten at most, a further one is dropped. Each leaves after its time. The clock stops under
 * the pointer, with the focus inside and in a hidden tab. Items come from the server, or from `toast()` when the
 * server cannot be reached.
 */
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createStore, CROSS, h, Icon, listen, useStore } from "$/utils/portal/common";
import { translated, useLanguage } from "$/utils/portal/language";

const LIMIT = 10;
const NEVER = -1;

const EMPTY = [];
const shown = createStore(EMPTY);
const seen = new Set();
let counter = 0;

// Shows what there is room for and returns the rest.
const add = (items) => {
  const free = LIMIT - shown.get().length;
  if (free && items.length) shown.set([...shown.get(), ...items.slice(0, free)]);
  return items.slice(free);
};

/** Shows a notification that the browser itself makes. `title` and `text` hold both languages; `quiet` ones the page announces. */
export const toast = (item) => add([{ ...item, id: `browser-${(counter += 1)}` }]);

// What the page itself announces is not announced again: who makes a notification knows it.
const LIVE = { alert: "assertive", status: "polite", log: "off" };
const LAST = "toast-shown";
const lastBefore = () => Number(window.sessionStorage.getItem(LAST)) || 0;

const visibility = (listener) => listen(document, "visibilitychange", listener);
const useHiddenTab = () => useSyncExternalStore(visibility, () => document.visibilityState === "hidden", () => false);

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
  const title = translated(language, item.title);
  const text = translated(language, item.text);
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
    h(Icon, { d: MARKS[item.kind] ?? MARKS.info, className: "size-6 shrink-0" }, h("circle", { cx: 12, cy: 12, r: 10 })),
    h(
      "div",
      { className: "grow min-w-0 text-ink" },
      h("p", { className: "font-semibold" }, title),
      text ? h("p", null, text) : null,
    ),
    h(
      "button",
      { type: "button", className: "icon-button -my-2 -mr-2 text-ink", "aria-label": `${closeLabel}: ${title}`, onClick: close },
      h(Icon, { d: CROSS, className: "size-5" }),
    ),
  );
};

/** The corner of the page in which notifications appear. Its live regions are there before the first of them. */
export const Toaster = ({ items, onDismiss, closeLabel }) => {
  const all = useStore(shown, EMPTY);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const paused = useHiddenTab() || hovered || focused;
  const region = useRef(null);
  const dismiss = (id) => typeof id === "number" && onDismiss?.(id);

  useEffect(() => {
    const ids = new Set((items ?? []).map((item) => item.id));
    const left = shown.get().filter((item) => typeof item.id !== "number" || ids.has(item.id));
    if (left.length !== shown.get().length) shown.set(left);
    const fresh = (items ?? []).filter((item) => !seen.has(item.id));
    if (!fresh.length) return;
    fresh.forEach((item) => seen.add(item.id));
    // Shown before the page was loaded anew, and meant for a moment only: not again. Ids only go up.
    const last = lastBefore();
    const stale = (item) => item.id <= last && item.timeout !== NEVER;
    window.sessionStorage.setItem(LAST, String(Math.max(last, ...fresh.map((item) => item.id))));
    const dropped = add(fresh.filter((item) => !stale(item)));
    [...fresh.filter(stale), ...dropped].forEach((item) => dismiss(item.id));
  }, [items]);

  const leave = (id, before) => {
    const hadFocus = region.current?.contains(document.activeElement);
    shown.set(shown.get().filter((item) => item.id !== id));
    dismiss(id);
    if (!shown.get().length) setHovered(false);
    // Closing by hand must not throw the focus away.
    if (hadFocus) {
      setFocused(false);
      if (before?.isConnected) before.focus({ preventScroll: true });
    }
  };
  const list = (listed, role) =>
    h(
      "div",
      { role, "aria-live": LIVE[role], "aria-atomic": false },
      h(
        "ul",
        { className: "contents" },
        listed.map((item) => h(Toast, { key: item.id, item, paused, closeLabel, onLeave: leave })),
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
    list(all.filter((item) => item.quiet), "log"),
    list(all.filter((item) => item.kind === "error" && !item.quiet), "alert"),
    list(all.filter((item) => item.kind !== "error"), "status"),
  );
};
