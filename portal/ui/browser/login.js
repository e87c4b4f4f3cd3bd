/** The forms of the login: what the last answer said, kept for every part of the page that shows it. */
import { createElement as h, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { EdgeForm } from "$/utils/portal/forms";
import { toast } from "$/utils/portal/toasts";

const NOTHING = Object.freeze({ error: "", fields: Object.freeze({}), attempt: 0, url: "", retryAt: "", done: 0, data: Object.freeze({}) });
const answers = new Map();
const listeners = new Set();

const keep = (form, answer) => {
  answers.set(form, answer);
  listeners.forEach((listener) => listener());
};
const subscribe = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The last answer to a form of the page, by its name; empty before the first. */
export const useAnswer = (form) => useSyncExternalStore(subscribe, () => answers.get(form) ?? NOTHING, () => NOTHING);

// A form may be taken down and put up again while the page settles; only one whose page was left is forgotten.
const place = () => window.location.pathname.replace(/\/+$/, "");
const arrive = (form) => {
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
// `SessionWatch` forgets it after the login.
const TYPED = "login";
const typed = () => {
  try {
    return JSON.parse(window.sessionStorage.getItem(TYPED)) ?? {};
  } catch {
    return {};
  }
};
const remember = (form) => {
  const secret = (name) => form.elements.namedItem(name)?.hasAttribute?.("data-secret");
  const entries = [...new FormData(form)].filter(([name, value]) => typeof value === "string" && !secret(name));
  const values = { ...typed(), ...Object.fromEntries(entries) };
  window.sessionStorage.setItem(TYPED, JSON.stringify(values));
};
const bringBack = (form) => {
  for (const [name, value] of Object.entries(typed())) {
    const control = form.elements.namedItem(name);
    if (!control) continue;
    if (control instanceof RadioNodeList) control.value = value;
    else if (!control.value) control.value = value;
  }
};

// The browser posted the form by itself, before our scripts were there: the answer is in the address.
const fromAddress = () => {
  const query = new URLSearchParams(window.location.search);
  const error = query.get("error");
  const failed = error && /^[a-z_]{1,40}$/.test(error);
  if (!failed && query.get("done") !== "1") return null;
  window.history.replaceState(window.history.state, "", window.location.pathname);
  if (!failed) return { ...NOTHING, done: 1 };
  const field = query.get("field");
  return refusal(error, { fields: field ? { [field]: error } : {} }, NOTHING);
};

/**
 * A form of the login.
 *
 * `notifications` holds, by error code, what is also said in the corner; `select` names the field that gets the focus
 * with its text selected when the errors of `selectOn` come back; `remembers` keeps what was typed for a return;
 * `clears` names a form that starts anew when this one worked.
 */
export const LoginForm = ({ name, action, notifications, select, selectOn, remembers, clears, children, ...rest }) => {
  const form = useRef(null);
  useEffect(() => {
    form.current = document.querySelector(`form[data-login="${name}"]`);
    if (remembers) bringBack(form.current);
    const found = remembers || select ? fromAddress() : null;
    if (found) keep(name, found);
    return arrive(name);
  }, [name, remembers]);
  const settle = (answer) => {
    const before = answers.get(name) ?? NOTHING;
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
    const said = own === undefined ? (explained ? null : notifications?.default) : own;
    if (said) toast({ kind: "error", timeout: 4000, ...said });
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

const NO_CODE = Object.freeze({ email: "", expiresAt: "", resendAt: "", wait: 0, expired: false });

const readNote = () => {
  const raw = document.cookie.match(/(?:^|;\s*)code=([^;]+)/)?.[1];
  if (!raw) return NO_CODE;
  try {
    const note = JSON.parse(decodeURIComponent(raw));
    const left = (moment) => Math.ceil((Date.parse(moment) - Date.now()) / 1000);
    return {
      email: String(note.email),
      expiresAt: note.expires_at,
      resendAt: note.resend_at,
      wait: Math.max(0, left(note.resend_at)),
      expired: left(note.expires_at) <= 0,
    };
  } catch {
    return NO_CODE;
  }
};

/** Where the code went, how long it works, and how many seconds until the next one can be asked for. */
export const useCodeNote = () => {
  const [note, setNote] = useState(NO_CODE);
  useEffect(() => {
    const refresh = () => setNote(readNote());
    refresh();
    const timer = setInterval(refresh, 1000);
    return () => clearInterval(timer);
  }, []);
  return note;
};
