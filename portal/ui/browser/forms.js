/** Forms: what was typed stays, sending is visible, a second press does nothing, errors get the focus. */
import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { connectionAwaited, counted, DelayedStatus, h, listen, Status, useField, useStore } from "$/utils/portal/common";
import { useLanguage } from "$/utils/portal/language";

const Pending = createContext(false);
export const TIMEOUT = 30000;
// The server accepts no longer text. Every field allows far less, so a text of this length is refused as too long.
const MAX_LENGTH = 4000;

const isSeen = (control) => control.offsetParent !== null;

// Several values of one name, as of checkboxes, become a list. Fields of a choice that was not made are left out.
export const values = (form) => {
  const unseen = [...form.querySelectorAll("[data-only] [name]")].filter((control) => !isSeen(control));
  unseen.forEach((control) => (control.disabled = true));
  const entries = [...new FormData(form)];
  unseen.forEach((control) => (control.disabled = false));
  const found = {};
  for (const [name, value] of entries) {
    if (typeof value !== "string") continue;
    const text = value.slice(0, MAX_LENGTH);
    found[name] = name in found ? [].concat(found[name], text) : text;
  }
  return found;
};

export const failed = (error) => ({ success: false, data: null, error, details: null });
export const isEnvelope = (answer) => typeof answer?.success === "boolean";

/** Waits until the browser has a connection again, or patience ends. */
const connected = () =>
  navigator.onLine ||
  new Promise((resolve) => {
    window.addEventListener("online", resolve, { once: true });
    setTimeout(resolve, TIMEOUT);
  });

/** Posts JSON to a route of our own and returns the envelope. It never throws: no answer is an answer, too. */
export const post = async (url, body) => {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const answer = await response.json().catch(() => null);
    return isEnvelope(answer) ? answer : failed("general_error");
  } catch {
    return failed("network_error");
  }
};

/** Goes where an answer says: `next` never leads off this site, `away` does. Returns whether there was somewhere to go. */
const follow = (answer) => {
  const { next, away } = (answer.success && answer.data) || {};
  const to = [next, away].find((url, off) => (off ? /^https?:/ : /^\/(?![/\\])/).test(url ?? ""));
  if (to) window.location.assign(to);
  return Boolean(to);
};

/** A form that is posted to a route of ours, by `send` if that asks for more first. Without scripts the browser posts it itself. */
export const EdgeForm = ({ action, send: sendTo = post, onSuccess, onResult, children, ...rest }) => {
  const [pending, setPending] = useState(false);
  const busy = useRef(false);
  const send = async (event) => {
    event.preventDefault();
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    const found = values(event.currentTarget);
    await connected();
    const answer = await sendTo(action, found);
    if (answer.success) onSuccess?.();
    if (follow(answer)) return; // stays busy until the next page is there
    busy.current = false;
    setPending(false);
    onResult?.(answer);
  };
  return h(Pending, { value: pending }, h("form", { method: "post", action, noValidate: true, onSubmit: send, ...rest }, children));
};

/** A form whose values go to the server as an event. It waits until `answered`, a counter, changes. */
export const EventForm = ({ onSend, answered, children, ...rest }) => {
  const [waiting, setWaiting] = useState(null);
  const pending = waiting !== null && waiting === answered;
  const awaited = useStore(connectionAwaited, "");
  const send = (event) => {
    event.preventDefault();
    if (pending) return;
    onSend?.(values(event.currentTarget));
    setWaiting(answered);
  };
  useEffect(() => {
    // What was sent without a connection goes out once there is one.
    if (!pending || awaited) return undefined;
    const timer = setTimeout(() => setWaiting(null), TIMEOUT);
    return () => clearTimeout(timer);
  }, [pending, awaited]);
  return h(Pending, { value: pending }, h("form", { method: "post", noValidate: true, onSubmit: send, ...rest }, children));
};

const DOUBLE_TAP = 300; // milliseconds, as on phones
let tappedAt = -Infinity;

/**
 * The button that sends. It stays where the focus is; a short wait is not worth another text. A `still` one keeps its
 * width. Without a connection it says that it waits for one.
 */
export const SubmitButton = ({ pendingText, still, children, className }) => {
  const pending = useContext(Pending);
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!pending) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), 400);
    return () => clearTimeout(timer);
  }, [pending]);
  const awaited = useStore(connectionAwaited, "");
  const busy = awaited || (still ? h("span", { className: "opacity-0" }, children) : pendingText);
  const hold = (event) => {
    // The second press of a double one may hit the button of the next step. Browsers count clicks, not taps.
    const isTap = event.detail > 0 && event.nativeEvent.pointerType !== "mouse";
    const isSecond = event.detail > 1 || (isTap && event.timeStamp - tappedAt < DOUBLE_TAP);
    if (isTap) tappedAt = event.timeStamp;
    if (pending || isSecond) event.preventDefault();
  };
  return [
    h(
      "button",
      { key: "button", type: "submit", className, "aria-disabled": pending || undefined, onClick: hold },
      slow ? h("span", { className: still && !awaited ? "spinner absolute" : "spinner", "aria-hidden": true }) : null,
      slow ? busy : children,
    ),
    h(Status, { key: "status" }, slow ? awaited || pendingText : ""),
  ];
};

// The share of the screen below an error summary in which the first error has to be: its field is seen below it then,
// above the bar with the buttons.
const SEEN = 0.6;

// Shows the first field that a box names, where that is further down. The box keeps the focus.
const showFirstError = (box) => {
  const error = document.getElementById(box.querySelector('a[href$="-error"]')?.hash.slice(1));
  const below = error && isSeen(error) ? error.getBoundingClientRect().top - box.getBoundingClientRect().top : 0;
  if (below > SEEN * window.innerHeight) error.scrollIntoView({ block: "center" });
};

/** Takes the focus when a try failed: `attempt` counts the tries. */
export const FocusBox = ({ attempt, children, ...rest }) => {
  const box = useRef(null);
  // Right after drawing: whoever is quicker, and already presses a link in it, keeps the focus there.
  useLayoutEffect(() => {
    if (!attempt) return undefined;
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "start" });
    // The fields may be drawn after the box.
    const soon = requestAnimationFrame(() => box.current && showFirstError(box.current));
    return () => cancelAnimationFrame(soon);
  }, [attempt]);
  return h("div", { ref: box, tabIndex: -1, "data-focus-target": true, ...rest }, children);
};

/** A link of the error summary: to the field itself, with its label in view. */
export const ErrorLink = ({ field, children, className }) => {
  const go = (event) => {
    event.preventDefault();
    const named = [...document.querySelectorAll(`[name="${CSS.escape(field)}"]`)];
    const control = document.getElementById(field) ?? named.find(isSeen) ?? named[0];
    if (!control) return;
    const group = control.type === "radio" || control.type === "checkbox" ? control.closest("fieldset") : null;
    (group?.querySelector("legend") ?? control.closest("label") ?? control.labels?.[0] ?? control).scrollIntoView({ block: "start" });
    control.focus({ preventScroll: true });
  };
  return h("a", { href: `#${field}-error`, className, onClick: go }, children);
};

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : null;
// Characters as a person sees them: an emoji or an accented letter is one.
const length = (text) => (segmenter ? [...segmenter.segment(text)].length : [...text].length);

/** Says below a text field how many characters are missing, left or too many; screen readers hear it after a pause. */
export const CharacterCount = ({ field, optional, minimum, maximum, missing, left, over, className }) => {
  const language = useLanguage();
  const count = useField(field, (text) => length(text.trim()), 0);
  const said = (forms, n) => counted(forms, n, { n: n.toLocaleString(language) });
  const text =
    count < minimum && (count || !optional) ? said(missing, minimum - count) : count > maximum ? said(over, count - maximum) : said(left, maximum - count);
  return [
    h("p", { key: "seen", className, "aria-hidden": true, "data-count": count }, text),
    h(DelayedStatus, { key: "heard", text: count ? text : "" }),
  ];
};

/** Its children while the radio button with this id is chosen; `first` is whether it is when it appears. */
export const WhileChosen = ({ control, first, children, className }) => {
  const [chosen, setChosen] = useState(first);
  useEffect(() => {
    const button = document.getElementById(control);
    const update = () => setChosen(button.checked);
    update();
    return listen(button.form, "input", update);
  }, [control]);
  return chosen ? h("div", { className }, children) : null;
};

/** Begins the text of a field with a sentence. `choice` is a choice, by name and value, that comes with it. */
export const Suggestion = ({ field, text, choice, children, className }) => {
  const use = ({ currentTarget: { form } }) => {
    const [name, value] = choice ?? [];
    const box = name && form.querySelector(`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);
    if (box && !box.checked) box.click();
    const area = form.elements.namedItem(field);
    if (!area.value.includes(text)) area.value = `${area.value} ${text}`.trim();
    area.dispatchEvent(new Event("input", { bubbles: true })); // the counter follows
    area.focus();
  };
  return h("button", { type: "button", className, onClick: use }, children);
};
