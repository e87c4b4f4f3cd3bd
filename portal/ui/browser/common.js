/** What several modules need: a value that components follow, timers, texts for screen readers, icons, cookies. */
import { createElement, memo, useEffect, useState, useSyncExternalStore } from "react";

// No line ends within 'e-mail'. The text itself stays as it is: readers search for it.
const EMAIL = /(e-mail\w*)/i;
const PLAIN = ["option", "textarea", "title"];
const whole = (child) => {
  // A text that depends on state is a component without an element.
  if (child?.type?.displayName === "Bare") return createElement(textOf(child.type), { key: child.key });
  if (!child?.search || child.search(EMAIL) < 0) return child;
  const parts = child.split(EMAIL);
  // One element: in a button, which is a flex box, each part would get a gap.
  return createElement("span", null, ...parts.map((part, at) => (at % 2 ? createElement("span", { className: "whitespace-nowrap" }, part) : part)));
};

// One component per text, so that its hooks are its own.
const texts = new WeakMap();
const textOf = (text) => texts.get(text) ?? texts.set(text, memo(() => whole(text.type({})))).get(text);

/** An element. A name of our own: pages call it a thousand times, and the compiler cannot shorten one that React exports. */
export const h = (type, props, ...children) =>
  createElement(type, props, ...(PLAIN.includes(type) ? children : children.map(whole)));

/** A value outside of React that components follow with `useStore`. */
export const createStore = (value) => {
  const listeners = new Set();
  return {
    get: () => value,
    set: (next) => {
      if (next === value) return;
      value = next;
      listeners.forEach((listener) => listener());
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The value of a store; `prerendered` is what the prerendered page shows. */
export const useStore = (store, prerendered) => useSyncExternalStore(store.subscribe, store.get, () => prerendered);

/** What a button that sends says while the server cannot be reached; empty while it can. */
export const connectionAwaited = createStore("");

/** Listens to events, with a blank between their types. Returns what stops it. */
export const listen = (target, types, listener, capture = false) => {
  const each = (act) => types.split(" ").forEach((type) => target?.[act](type, listener, capture));
  each("addEventListener");
  return () => each("removeEventListener");
};

/** How the names begin under which forms keep what was typed, in the storage of the tab. */
export const TYPED = "typed ";

/** Forgets what was typed into forms whose name begins so; all of it by default. */
export const forgetTyped = (beginning = "") =>
  Object.keys(window.sessionStorage)
    .filter((key) => key.startsWith(TYPED + beginning))
    .forEach((key) => window.sessionStorage.removeItem(key));

/** Seconds until a moment, rounded up; 0 when it has passed or is not known. */
export const secondsUntil = (moment) => Math.max(0, Math.ceil((Date.parse(moment) - Date.now()) / 1000)) || 0;

/** Runs `act` at once and every second. Returns what stops it. */
export const everySecond = (act) => {
  act();
  const timer = setInterval(act, 1000);
  return () => clearInterval(timer);
};

/** A value once it has stayed the same for some time; `first` until then. */
export const useDelayed = (value, milliseconds, first) => {
  const [delayed, setDelayed] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return delayed;
};

/** The value of the field with this id, as `read` sees it after every input. */
export const useField = (id, read, first) => {
  const [value, setValue] = useState(first);
  useEffect(() => {
    const control = document.getElementById(id);
    if (!control) return undefined;
    const update = () => setValue(read(control.value));
    update();
    return listen(control, "input", update);
  }, [id]);
  return value;
};

/** A text for screen readers, which read it out when it changes. */
export const Status = ({ children }) => h("span", { role: "status", className: "sr-only" }, children);

/** The same for a text that changes with every key: it is read out after a pause in typing. */
export const DelayedStatus = ({ text }) => {
  const delayed = useDelayed(text, 1000, "");
  return h(Status, null, text ? delayed : "");
};

/** A drawing in the colour of the text; `children` are its further shapes. */
export const Icon = ({ d, className, strokeWidth = 2, children }) =>
  h(
    "svg",
    { viewBox: "0 0 24 24", className, fill: "none", stroke: "currentColor", strokeWidth, strokeLinecap: "round", strokeLinejoin: "round", "aria-hidden": true },
    children,
    d ? h("path", { d }) : null,
  );

export const CROSS = "M6 6 18 18M18 6 6 18";

/** The value of a cookie that scripts may read. */
export const cookie = (name) => document.cookie.match(`(?:^|;\\s*)${name}=([^;]*)`)?.[1];

/** A text with its {placeholders} filled. */
export const fill = (text, values) =>
  values ? text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? (values[name] ?? "") : whole)) : text;

/** A counted text: `forms` are the texts for one and for any other number. */
export const counted = (forms, n, values = { n }) => fill(forms[Number(n) === 1 ? 0 : 1], values);
