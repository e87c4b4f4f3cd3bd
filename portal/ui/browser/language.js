/**
 * The language of the visitor: kept in the cookie `lang`, known to the browser alone.
 *
 * Pages are prerendered in Dutch. React hydrates them in Dutch as well and shows the chosen language in the same
 * frame; `REVEAL` (portal/ui/head.py) keeps the page hidden until then for somebody who chose English.
 */
import { useEffect, useSyncExternalStore } from "react";

const COOKIE = "lang";
const DEFAULT = "nl";
const KNOWN = ["nl", "en"];
const YEAR = 31536000;

const listeners = new Set();
let chosen;

const fromCookie = () => {
  const found = document.cookie.match(/(?:^|;\s*)lang=([a-z]{2})(?:;|$)/)?.[1];
  return KNOWN.includes(found) ? found : DEFAULT;
};

const snapshot = () => (chosen ??= fromCookie());

const show = (language) => {
  if (language === chosen) return;
  chosen = language;
  listeners.forEach((listener) => listener());
};

// Another tab may have switched.
const refresh = () => show(fromCookie());

const subscribe = (listener) => {
  if (!listeners.size) window.addEventListener("focus", refresh);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (!listeners.size) window.removeEventListener("focus", refresh);
  };
};

/** The language to show: 'nl' or 'en'. */
export const useLanguage = () => useSyncExternalStore(subscribe, snapshot, () => DEFAULT);

/** Choose a language; every text on the page follows at once. */
export const setLanguage = (language) => {
  if (!KNOWN.includes(language)) return;
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${COOKIE}=${language}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
  show(language);
};

/** Keeps <html lang> in step and reveals a page that was hidden until its language was right. */
export const DocumentLanguage = () => {
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.classList.remove("lang-pending");
  }, [language]);
  return null;
};

const fill = (text, values) =>
  values ? text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? (values[name] ?? "") : whole)) : text;

/** A text in the language shown, with its {placeholders} filled. */
export const t = (language, dutch, english, values) => fill(language === "en" ? english : dutch, values);

/** A counted text: `dutch` and `english` are pairs of the form for one and for any other number. */
export const tn = (language, dutch, english, n, values) =>
  fill((language === "en" ? english : dutch)[Number(n) === 1 ? 0 : 1], values);

/** The option that a value names, or the fallback. */
export const choose = (options, value, fallback) => (Object.hasOwn(options, value ?? "") ? options[value ?? ""] : fallback);

/** A text that the server sent in both languages. */
export const spoken = (language, texts) => texts?.[language] ?? "";
