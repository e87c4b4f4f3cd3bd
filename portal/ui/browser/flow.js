/** Steps of a flow: what was typed is never lost on the way, leaving asks first, the next step is there before it is asked for. */
import { createElement as h, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Link, PrefetchPageLinks, useBlocker, useLocation } from "react-router";
import { EventForm, SubmitButton } from "$/utils/portal/forms";
import { isSending, stopAll } from "$/utils/portal/uploads";

/** Whether the step was opened from the check page, to change an answer. */
const useChanging = () => new URLSearchParams(useLocation().search).has("change");

// What was typed and not sent, by step: in memory only, gone with the page.
const kept = new Map();

const controls = (form) => [...form.elements].filter((control) => control.name && !["file", "hidden"].includes(control.type));
const isChoice = (control) => control.type === "radio" || control.type === "checkbox";
const read = (form) =>
  controls(form).map((control) => ({ name: control.name, value: control.value, checked: isChoice(control) ? control.checked : null }));
// Of several controls with one name, each has values of its own.
const fits = (control, { name, value, checked }) => {
  if (name !== control.name || (checked !== null) !== isChoice(control)) return false;
  if (isChoice(control)) return value === control.value;
  return !control.options || [...control.options].some((option) => option.value === value);
};
const write = (form, values) => {
  for (const control of controls(form)) {
    const found = values.find((entry) => fits(control, entry));
    if (!found) continue;
    if (isChoice(control)) control.checked = found.checked;
    else control.value = found.value;
    control.dispatchEvent(new Event("input", { bubbles: true })); // counters follow
  }
};

/** Stands inside the form: keeps what was typed while other steps are shown, asks before the flow is left with it. */
const Keeper = ({ place, flow, attempt, saved, lost, title, text, sending, stay, leave }) => {
  const marker = useRef(null);
  const dialog = useRef(null);
  const dirty = useRef(false);
  const sent = useRef(false);
  const [unsaved, setUnsaved] = useState(false);
  const id = useId();
  const within = ({ pathname }) => pathname === flow || pathname.startsWith(`${flow}/`);
  const blocker = useBlocker(
    ({ nextLocation }) => ((dirty.current && !sent.current) || isSending()) && !lost && !within(nextLocation),
  );
  const blocked = blocker.state === "blocked";

  useLayoutEffect(() => {
    const form = marker.current?.closest("form");
    if (!form) return undefined;
    const changed = () => {
      dirty.current = true;
      setUnsaved(true);
    };
    const submitted = () => {
      sent.current = true;
    };
    form.addEventListener("input", changed);
    form.addEventListener("submit", submitted);
    const before = kept.get(place);
    kept.delete(place);
    if (before) write(form, before);
    return () => {
      // Also when it was sent: the answer may be a refusal, or never come.
      if (dirty.current) kept.set(place, read(form));
      form.removeEventListener("input", changed);
      form.removeEventListener("submit", submitted);
    };
  }, [place]);

  useEffect(() => {
    // The form was looked at and stays: what is in it is unsent again, unless it was only a warning.
    if (!attempt) return;
    sent.current = false;
    if (!saved) return;
    dirty.current = false;
    setUnsaved(false);
  }, [attempt]);

  useEffect(() => {
    if (!unsaved || lost) return undefined;
    // Only while there is something to lose: a page that listens is not kept by the browser for "back".
    const warn = (event) => dirty.current && !sent.current && event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [unsaved, lost]);

  useEffect(() => {
    if (blocked) dialog.current?.showModal();
  }, [blocked]);
  const closed = () => blocker.state === "blocked" && blocker.reset();
  const go = () => {
    dirty.current = false;
    kept.clear();
    stopAll();
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
        h("p", { id: `${id}d`, className: "mt-3" }, blocked && isSending() ? sending : text),
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

/** The form of a step. `place` names draft and step; with another one the form starts anew. */
export const StepForm = ({ place, flow, attempt, saved, lost, title, text, sending, stay, leave, children, ...rest }) =>
  h(EventForm, { key: place, ...rest }, children, h(Keeper, { place, flow, attempt, saved, lost, title, text, sending, stay, leave }));

/** The button of a step; opened from the check page, it leads back there. */
export const StepButton = ({ backText, children, ...rest }) => h(SubmitButton, rest, useChanging() ? backText : children);

/** The way back: to the step before, or to the check page for somebody who came from there. */
export const StepBack = ({ to, check, checkText, className, children }) => {
  const changing = useChanging();
  return h(Link, { to: changing ? check : to, className }, h("span", { "aria-hidden": true }, "← "), changing ? checkText : children);
};

/** Loads the scripts of a page that will be asked for next. */
export const Ahead = ({ page }) => (page ? h(PrefetchPageLinks, { page }) : null);

export const PrintButton = ({ className, children }) =>
  h("button", { type: "button", className, onClick: () => window.print() }, children);
