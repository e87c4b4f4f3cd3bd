/** Steps of a flow: what was typed is not lost on the way, leaving asks first, the next step is loaded ahead. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { forgetTyped, h, listen, TYPED } from "$/utils/portal/common";
import { LeaveQuestion } from "$/utils/portal/dialog";
import { EventForm, TIMEOUT, SubmitButton } from "$/utils/portal/forms";
import { isSending, stopAll } from "$/utils/portal/uploads";

/** Whether the step was opened from the check page, to change an answer. */
const useChanging = () => new URLSearchParams(useLocation().search).has("change");

// What was typed and not sent, by step. The storage of the tab has it for a reload, without secrets.
const unsent = new Map();

const controls = (form) => [...form.elements].filter((control) => control.name && !["file", "hidden"].includes(control.type));
const isChoice = (control) => control.type === "radio" || control.type === "checkbox";
const read = (form) =>
  controls(form).map((control) => ({ name: control.name, value: control.value, checked: isChoice(control) ? control.checked : null }));
// Several controls may have one name; a choice is told apart by its value.
const matches = (control, { name, value, checked }) => {
  if (name !== control.name || (checked !== null) !== isChoice(control)) return false;
  if (isChoice(control)) return value === control.value;
  return !control.options || [...control.options].some((option) => option.value === value);
};
const write = (form, entries) => {
  for (const control of controls(form)) {
    const found = entries.find((entry) => matches(control, entry));
    if (!found) continue;
    if (isChoice(control)) control.checked = found.checked;
    else control.value = found.value;
    control.dispatchEvent(new Event("input", { bubbles: true })); // counters follow
  }
};

const kept = (place) => JSON.parse(window.sessionStorage.getItem(TYPED + place));
const keep = (place, entries) => {
  try {
    window.sessionStorage.setItem(TYPED + place, JSON.stringify(entries));
  } catch {
    forgetTyped(); // no room: a reload loses what was typed
  }
};

/** Stands inside the form: keeps what was typed while other steps are shown, asks before the flow is left with it. */
const UnsentInput = ({ place, flow, attempt, saved, lost, secrets, text, sending, ...texts }) => {
  const marker = useRef(null);
  const dirty = useRef(false);
  const sent = useRef(-Infinity);
  const [unsaved, setUnsaved] = useState(false);
  const within = ({ pathname }) => pathname === flow || pathname.startsWith(`${flow}/`);
  // What was sent and not answered in time is unsent again.
  const isSent = () => performance.now() - sent.current < TIMEOUT;
  const isUnsaved = () => dirty.current && !isSent();

  useLayoutEffect(() => {
    const form = marker.current?.closest("form");
    if (!form) return undefined;
    const changed = () => {
      dirty.current = true;
      setUnsaved(true);
      keep(place, read(form).filter(({ name }) => !secrets.includes(name)));
    };
    const stops = [listen(form, "input", changed), listen(form, "submit", () => (sent.current = performance.now()))];
    const before = unsent.get(place) ?? kept(place);
    unsent.delete(place);
    if (before) write(form, before);
    return () => {
      // Also when it was sent: the answer may be a refusal, or never come.
      if (dirty.current) unsent.set(place, read(form));
      if (isSent()) forgetTyped(place);
      stops.forEach((stop) => stop());
    };
  }, [place]);

  useEffect(() => {
    // The server answered and the form stays: its input is unsent again, unless the answer was only a warning.
    if (!attempt) return;
    sent.current = -Infinity;
    if (!saved) return;
    dirty.current = false;
    setUnsaved(false);
  }, [attempt]);

  return [
    h("span", { key: "marker", ref: marker, hidden: true }),
    h(LeaveQuestion, {
      key: "question",
      asks: ({ nextLocation }) => (isUnsaved() || isSending()) && !lost && !within(nextLocation),
      warns: unsaved && !lost,
      isUnsaved,
      onLeave: () => {
        dirty.current = false;
        unsent.clear();
        forgetTyped();
        stopAll();
      },
      explain: () => (isSending() ? sending : text),
      ...texts,
    }),
  ];
};

/** The form of a step. `place` names draft and step; with another one the form starts anew. */
export const StepForm = ({ place, answered, onSend, className, children, ...rest }) => {
  const changing = useChanging();
  // The tab may be elsewhere by the time that this is read.
  const send = (found) => onSend(changing ? { ...found, "draft-change": "1" } : found);
  return h(EventForm, { key: place, answered, onSend: send, className }, children, h(UnsentInput, { place, ...rest }));
};

/** The button of a step; opened from the check page, it leads back there. */
export const StepButton = ({ backText, children, ...rest }) => h(SubmitButton, rest, useChanging() ? backText : children);

/** The way back: to the step before, or to the check page for somebody who came from there. */
export const StepBack = ({ to, check, checkText, className, children }) => {
  const changing = useChanging();
  return h(Link, { to: changing ? check : to, className }, h("span", { "aria-hidden": true }, "← "), changing ? checkText : children);
};

/** Loads and runs the scripts of a page that will be asked for next, in an idle moment: the first visit does not carry them. */
export const Ahead = ({ page }) => {
  useEffect(() => {
    const route = Object.values(window.__reactRouterManifest?.routes ?? {}).find(({ path }) => `/${path}` === page);
    if (route) (window.requestIdleCallback ?? setTimeout)(() => import(/* @vite-ignore */ route.module).catch(() => {}));
  }, [page]);
  return null;
};

export const PrintButton = ({ className, children }) =>
  h("button", { type: "button", className, onClick: () => window.print() }, children);
