/** What the account pages need in the browser: a warning before unsaved input is lost, a wait that counts down. */
import { createElement as h, useEffect, useId, useRef, useState } from "react";
import { useBlocker } from "react-router";

/**
 * Asks before a page is left with something typed and not saved. Stands inside the form that it watches; it is gone
 * with the form, and so is the warning.
 */
export const UnsavedGuard = ({ title, text, stay, leave }) => {
  const marker = useRef(null);
  const dialog = useRef(null);
  const id = useId();
  const [dirty, setDirty] = useState(false);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname);
  const blocked = blocker.state === "blocked";
  useEffect(() => {
    const form = marker.current?.closest("form");
    const changed = () => setDirty(true);
    form?.addEventListener("input", changed);
    return () => form?.removeEventListener("input", changed);
  }, []);
  useEffect(() => {
    if (!dirty) return undefined;
    // Only while there is something to lose: a page that listens is not kept by the browser for "back".
    const warn = (event) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [dirty]);
  useEffect(() => {
    if (blocked) dialog.current?.showModal();
  }, [blocked]);
  const closed = () => blocker.state === "blocked" && blocker.reset();
  const go = () => {
    setDirty(false);
    blocker.proceed?.();
  };
  return [
    h("span", { key: "marker", ref: marker, hidden: true }),
    h(
      "dialog",
      { key: "dialog", ref: dialog, role: "alertdialog", "aria-labelledby": `${id}t`, "aria-describedby": `${id}d`, className: "popup", onClose: closed },
      h(
        "div",
        { className: "popup-panel" },
        h("h2", { id: `${id}t` }, title),
        h("p", { id: `${id}d`, className: "mt-3" }, text),
        h(
          "div",
          { className: "mt-6 flex flex-wrap gap-3" },
          h("button", { type: "button", autoFocus: true, className: "btn btn-primary", onClick: () => dialog.current?.close() }, stay),
          h("button", { type: "button", className: "btn btn-secondary", onClick: go }, leave),
        ),
      ),
    ),
  ];
};

const secondsUntil = (moment) => Math.max(0, Math.ceil((Date.parse(moment) - Date.now()) / 1000)) || 0;

/** Says how many seconds are left; nothing once the moment is there. `forms` is the text for one and for more. */
export const Wait = ({ until, forms, className }) => {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const refresh = () => setLeft(secondsUntil(until));
    refresh();
    const timer = setInterval(refresh, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left ? h("p", { className }, forms[left === 1 ? 0 : 1].replace("{n}", left)) : null;
};
