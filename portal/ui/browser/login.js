/** The forms of the login. Every part of a page can show the last answer to one of them. */
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { cookie, createStore, everySecond, h, secondsUntil } from "$/utils/portal/common";
import { EdgeForm, post } from "$/utils/portal/forms";
import { trimmed } from "$/utils/portal/navigation";
import { TYPED } from "$/utils/portal/session";
import { toast } from "$/utils/portal/toasts";

const NOTHING = Object.freeze({ error: "", fields: Object.freeze({}), attempt: 0, url: "", retryAt: "", done: 0, data: Object.freeze({}) });
// The last answer to each form, by its name.
const answers = createStore({});
const answerTo = (form) => answers.get()[form] ?? NOTHING;
const keep = (form, answer) => answers.set({ ...answers.get(), [form]: answer });

/** The last answer to a form of the page, by its name; empty before the first. */
export const useAnswer = (form) => useSyncExternalStore(answers.subscribe, () => answerTo(form), () => NOTHING);

// A form may be unmounted and mounted again while the page settles. Its answer is forgotten when its page was left.
const place = () => trimmed(window.location.pathname);
const forgetOnLeaving = (form) => {
  const here = place();
  return () => {
    if (place() !== here) keep(form, NOTHING);
  };
};

const refusal = (error, details, before) => ({
  error,
  fields: details?.fields ?? {},
  attempt: before.attempt + 1,
  url: /^https:\/\//.test(details?.url ?? "") ? details.url : "",
  retryAt: details?.retry_at ?? "",
  done: before.done,
  data: before.data,
});

// What was typed comes back when somebody returns to correct it, but never a password. It stays in this tab;
// `SessionWatch` deletes it after the login.
const typed = () => JSON.parse(window.sessionStorage.getItem(TYPED) ?? "{}");
const remember = (form) => {
  const secret = (name) => form.elements.namedItem(name)?.hasAttribute?.("data-secret");
  const entries = [...new FormData(form)].filter(([name, value]) => typeof value === "string" && !secret(name));
  const values = { ...typed(), ...Object.fromEntries(entries) };
  window.sessionStorage.setItem(TYPED, JSON.stringify(values));
};
const bringBack = (form) => {
  for (const [name, value] of Object.entries(typed())) {
    const control = form.elements.namedItem(name);
    if (control && (control instanceof RadioNodeList || !control.value)) control.value = value;
  }
};

// The browser posted the form by itself, before our scripts had loaded: the answer is in the address.
const fromAddress = () => {
  const query = new URLSearchParams(window.location.search);
  const error = query.get("error");
  const failed = error && /^[a-z_]{1,40}$/.test(error);
  if (!failed && query.get("done") !== "1") return null;
  window.history.replaceState(window.history.state, "", window.location.pathname);
  if (!failed) return { ...NOTHING, done: 1 };
  const field = query.get("field");
  return refusal(error, { fields: field ? { [field]: error } : {}, retry_at: query.get("retry_at") }, NOTHING);
};

/**
 * A form of the login. `notifications` are by error code. After an error of `selectOn`, the text of the field `select`
 * is selected. `remembers` keeps what was typed for a return. `clears` names a form that is emptied when this one worked.
 */
export const LoginForm = ({ name, action, notifications, select, selectOn, remembers, clears, children, ...rest }) => {
  const form = useRef(null);
  useEffect(() => {
    form.current = document.querySelector(`form[data-login="${name}"]`);
    if (remembers) bringBack(form.current);
    const found = remembers || select ? fromAddress() : null;
    if (found) keep(name, found);
    return forgetOnLeaving(name);
  }, [name, remembers]);
  const settle = (answer) => {
    const before = answerTo(name);
    if (answer.success) {
      keep(name, { ...NOTHING, attempt: before.attempt, done: before.done + 1, data: answer.data ?? NOTHING.data });
      if (clears) {
        document.querySelector(`form[data-login="${clears}"]`)?.reset();
        keep(clears, NOTHING);
      }
      return undefined;
    }
    keep(name, refusal(answer.error, answer.details, before));
    const explained = Object.keys(answer.details?.fields ?? {}).length > 0;
    const own = notifications && answer.error in notifications ? notifications[answer.error] : undefined;
    const notification = own === undefined ? (explained ? null : notifications?.default) : own;
    if (notification) toast({ kind: "error", quiet: true, timeout: 4000, ...notification });
    if (!select || !selectOn?.includes(answer.error)) return undefined;
    const control = form.current?.elements.namedItem(select);
    control?.focus();
    control?.select();
    return undefined;
  };
  return h(
    EdgeForm,
    {
      action,
      onResult: settle,
      onSubmitCapture: (event) => remembers && remember(event.currentTarget),
      onChange: (event) => event.target.type === "radio" && keep(name, NOTHING),
      "data-login": name,
      ...rest,
    },
    children,
  );
};

const NO_CODE = Object.freeze({ email: "", sentAt: "", expiresAt: "", wait: 0, expired: false });

const readNote = () => {
  try {
    const note = JSON.parse(decodeURIComponent(cookie("code")));
    const [sentAt, expiresAt] = [String(note.sent_at), String(note.expires_at)];
    return { email: String(note.email), sentAt, expiresAt, wait: secondsUntil(note.resend_at), expired: !secondsUntil(expiresAt) };
  } catch {
    return NO_CODE;
  }
};

const DELIVERY_SECONDS = [2, 5, 10, 20, 40];

// Whether a mail server refused the code that was sent at a moment. A mail server answers within seconds.
const useCodeRefused = (sentAt) => {
  const [refused, setRefused] = useState("");
  useEffect(() => {
    const look = async () => (await post("/auth/code-delivery", {})).data?.refused && setRefused(sentAt);
    const looks = sentAt ? DELIVERY_SECONDS.map((seconds) => setTimeout(look, seconds * 1000)) : [];
    return () => looks.forEach(clearTimeout);
  }, [sentAt]);
  return Boolean(sentAt) && refused === sentAt;
};

/** Where the code went, when it was sent and until when it works, how many seconds until the next one can be asked for, whether the code has expired, and whether its mail was refused. */
export const useCodeNote = () => {
  const [note, setNote] = useState(NO_CODE);
  useEffect(() => everySecond(() => setNote(readNote())), []);
  return { ...note, refused: useCodeRefused(note.sentAt) };
};
