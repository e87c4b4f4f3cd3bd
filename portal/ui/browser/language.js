/**
 * The language of the visitor. It stands in the cookie `lang`.
 *
 * A document is drawn in one language, which its `lang` says, and React hydrates it in that. Pages of the build are
 * Dutch; for somebody who chose English, `REVEAL` (portal/ui/page.py) hides such a page until React has shown English
 * in the same frame.
 */
import { useEffect } from "react";
import { cookie, counted, createStore, fill, listen, useStore } from "$/utils/portal/common";

const DEFAULT = "nl";
const KNOWN = ["nl", "en"];
const YEAR = 31536000;

/** The language in the cookie, which another tab may have changed. */
export const fromCookie = () => (KNOWN.includes(cookie("lang")) ? cookie("lang") : DEFAULT);

const served = typeof document === "undefined";
const shown = createStore(served ? DEFAULT : fromCookie());
let drawn = served ? DEFAULT : document.documentElement.lang;

// What pages show of settings (portal/shown_settings.py). A document has it in a block; the process that draws is told.
let known = served ? undefined : JSON.parse(document.getElementById("settings")?.textContent ?? "{}");

/** In the server: what `setting` knows from here on. */
export const tell = (settings) => {
  known = settings;
};

/** The block of the document at a path, which alone has the legal text of this path. */
export const settingsOf = (path) =>
  JSON.stringify(Object.fromEntries(Object.entries(known).filter(([name]) => !name.startsWith("legal.") || name.startsWith(`legal.${path}.`))));

// Terms that differ from the settings, because the shop of this host has set them (portal/web/session.py).
const terms = createStore(served ? "" : (cookie("terms") ?? ""));
let drawnTerms = served || !("drawn" in document.documentElement.dataset) ? "" : terms.get();
let held = "";

/** In the server: draws in this language and with these terms. */
export const drawnIn = (language = DEFAULT, changed = "") => {
  drawn = language;
  drawnTerms = changed;
};

/** The language to show: 'nl' or 'en'. */
export const useLanguage = () => {
  held = useStore(terms, drawnTerms);
  return useStore(shown, drawn);
};

/** A setting: as the shop has it today, else as the installation has it. A page that is being built has a mark instead. */
export const setting = (language, name) =>
  held.match(`\\b${name}:(\\d+)`)?.[1] ?? (known ? (known[`${name}.${language}`] ?? known[name] ?? "") : `⟦${name}.${language}⟧`);

/** Choose a language; every text on the page follows at once. */
export const setLanguage = (language) => {
  if (!KNOWN.includes(language)) return;
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `lang=${language}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
  shown.set(language);
};

/** Keeps <html lang> in step and reveals a page that was hidden until its language was right. */
export const DocumentLanguage = () => {
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.classList.remove("lang-pending");
  }, [language]);
  // Another tab may have switched.
  useEffect(() => listen(window, "focus", () => shown.set(fromCookie())), []);
  return null;
};

/** A text in the language shown, with its {placeholders} filled. */
export const t = (language, dutch, english, values) => fill(language === "en" ? english : dutch, values);

/** A counted text: `dutch` and `english` are pairs of the form for one and for any other number. */
export const tn = (language, dutch, english, n, values) => counted(language === "en" ? english : dutch, n, values);

/** The option that a value names, or the fallback. */
export const choose = (options, value, fallback) => (Object.hasOwn(options, value ?? "") ? options[value ?? ""] : fallback);

/** A text that the server sent in both languages. */
export const translated = (language, texts) => texts?.[language] ?? "";
