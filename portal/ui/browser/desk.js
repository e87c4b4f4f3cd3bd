/** The staff site: keys, the place in a list, choices that are typed, and texts that survive the end of a session. */
import { useEffect, useId, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { createStore, forgetTyped, h, listen, TYPED, useStore } from "$/utils/portal/common";
import { trimmed, usePath } from "$/utils/portal/navigation";

/** A link of the navigation. With a query it is current only where the address has the same values. */
export const DeskLink = ({ to, within, className, children }) => {
  const path = usePath();
  const { search } = useLocation();
  const [own, query] = to.split("?");
  const here = new URLSearchParams(search);
  const same = path === own && [...new URLSearchParams(query)].every(([name, value]) => (here.get(name) ?? "") === value);
  const below = path?.match(within ?? `^${own}/`) && !query;
  return h(Link, { to, className, "aria-current": same ? "page" : below ? "true" : undefined }, children);
};

/** The links that the person saved, with the number of cases behind each. */
export const SavedLinks = ({ items, heading }) =>
  items.length === 0
    ? null
    : [
        h("p", { key: "heading", className: "desk-group" }, heading),
        h(
          "ul",
          { key: "links", className: "space-y-0.5" },
          items.map(({ name, path, number }) =>
            h(
              "li",
              { key: path + name },
              h(
                DeskLink,
                { to: path, className: "desk-link" },
                h("span", { className: "min-w-0 truncate" }, name),
                h("span", { className: "desk-count" }, number),
              ),
            ),
          ),
        ),
      ];

const SWITCH = "keys-off";
const active = createStore(true);
const TYPING = "input:not([type=checkbox]):not([type=radio]),textarea,select,[contenteditable]";

const openers = () => [...document.querySelectorAll("[data-row] a[data-open]")];
const move = (step) => {
  const links = openers();
  const now = links.findIndex((link) => link.closest("[data-row]").contains(document.activeElement));
  const next = links[Math.min(Math.max(now + step, 0), links.length - 1)];
  next?.focus();
  next?.closest("[data-row]").scrollIntoView({ block: "nearest" });
};
const ACTS = {
  "/": () => document.querySelector("[data-search]")?.focus(),
  "?": () => document.querySelector("[data-keys] > button")?.click(),
  j: () => move(1),
  k: () => move(-1),
  x: () => document.activeElement?.closest("[data-row]")?.querySelector("input[type=checkbox]")?.click(),
};

const PLACE = "list place";
const placed = () => JSON.parse(window.sessionStorage.getItem(PLACE) ?? "null");
const keepPlace = (place) => window.sessionStorage.setItem(PLACE, JSON.stringify(place));
// The way back sorts the filters, and leaves out the first page.
const address = () => {
  const query = new URLSearchParams(window.location.search);
  query.sort();
  if (query.get("page") === "1") query.delete("page");
  return `${trimmed(window.location.pathname)}?${query}`;
};

/** Shows a list where it was left, with the focus on the case that was open last. */
export const KeepPlace = () => {
  useEffect(() => {
    const place = placed();
    if (place?.address !== address()) return;
    window.sessionStorage.removeItem(PLACE);
    window.scrollTo(0, place.y);
    const link = document.querySelector(`[data-open][href="${CSS.escape(place.link)}"]`);
    link?.focus({ preventScroll: true });
    link?.closest("[data-row]").scrollIntoView({ block: "nearest" });
  }, []);
  return null;
};

/**
 * The keys of every page. Other single keys press the button or link that names them in `data-key`, which comes before
 * what the key does elsewhere; Escape presses the one with `data-back`. Nothing happens while somebody types, in a dialog, or when the keys are switched off.
 */
export const Keys = () => {
  const path = trimmed(useLocation().pathname);
  useEffect(() => {
    const place = placed();
    if (place && /^\/cases\/[^/]+\/[^/]+$/.test(path)) keepPlace({ ...place, link: path });
  }, [path]);
  useEffect(() => {
    const opening = ({ target }) => {
      const link = target.closest("[data-open]");
      if (link) keepPlace({ address: address(), y: window.scrollY, link: link.getAttribute("href") });
    };
    return listen(document, "click", opening, true);
  }, []);
  useEffect(() => {
    active.set(window.localStorage.getItem(SWITCH) === null);
    return listen(document, "keydown", (event) => {
      const typing = event.target.closest?.(TYPING);
      if (event.key === "Escape" && typing?.matches("[data-search]")) typing.blur();
      if (!active.get() || typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      const named = event.key === "Escape" ? "[data-back]" : `[data-key="${CSS.escape(event.key)}"]`;
      const pressed = document.querySelector(named);
      const act = pressed ? () => pressed.click() : ACTS[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }, []);
  return null;
};

/** Switches the keys off and on, for people who speak to their computer. */
export const KeySwitch = ({ className, children }) => {
  const on = useStore(active, true);
  const change = ({ target }) => {
    active.set(target.checked);
    target.checked ? window.localStorage.removeItem(SWITCH) : window.localStorage.setItem(SWITCH, "1");
  };
  return h("label", { className }, h("input", { type: "checkbox", checked: on, onChange: change }), children);
};

/**
 * A choice from a long list, made by typing. It is made once the text names one option, or only one contains it; in a
 * form, its value is in a hidden field. Leaving the field shows what is chosen.
 */
export const TypedChoice = ({ options, first, name, value: given, onChoose, ...rest }) => {
  const value = given ?? "";
  const list = useId();
  const every = [...first, ...options];
  const textOf = (wanted) => every.find((option) => option.value === wanted)?.text ?? "";
  const [typed, setTyped] = useState(null);
  const [chosen, setChosen] = useState(value);
  useEffect(() => setChosen(value), [value]);
  const found = (text) => {
    const wanted = text.trim().toLowerCase();
    const near = wanted ? every.filter((option) => option.text.toLowerCase().includes(wanted)) : [];
    return near.length === 1 ? near[0] : near.find((option) => option.text.toLowerCase() === wanted);
  };
  const choose = (option) => {
    if (option.value === chosen) return;
    setChosen(option.value);
    onChoose?.(option.value);
  };
  const change = ({ target }) => {
    setTyped(target.value);
    const option = found(target.value);
    if (option?.text === target.value) choose(option);
    else if (!onChoose) setChosen(option?.value ?? "");
  };
  const settle = () => {
    const option = typed === null ? undefined : found(typed);
    if (option) choose(option);
    if (option || onChoose) setTyped(null);
  };
  const key = (event) => {
    if (event.key !== "Enter" || !onChoose) return;
    event.preventDefault();
    settle();
  };
  return [
    h("input", {
      key: "typed",
      type: "text",
      list,
      autoComplete: "off",
      value: typed ?? textOf(chosen),
      placeholder: textOf(chosen),
      onFocus: () => setTyped((now) => now ?? (onChoose ? "" : textOf(chosen))),
      onChange: change,
      onBlur: settle,
      onKeyDown: key,
      ...rest,
    }),
    h("datalist", { key: "options", id: list }, every.map(({ value: id, text }) => h("option", { key: id, value: text }))),
    name && h("input", { key: "value", type: "hidden", name, value: chosen, readOnly: true }),
  ];
};

/**
 * Keeps what is typed in its fields in this tab, for this person, page and name, until `sent` increases: whose session
 * ends in the middle of a message finds it again after the login. Who logs out leaves nothing.
 */
export const KeepTyped = ({ name, person, sent, children }) => {
  const box = useRef(null);
  const key = `${TYPED}${person} ${trimmed(useLocation().pathname)} ${name}`;
  const before = useRef(sent);
  useEffect(() => {
    const leaving = (event) => event.target.action?.endsWith("/auth/logout") && forgetTyped();
    return listen(document, "submit", leaving, true);
  }, []);
  useEffect(() => {
    const { at, fields } = JSON.parse(window.sessionStorage.getItem(key) ?? "{}");
    if (at < sent) return window.sessionStorage.removeItem(key); // the form closed when it was sent
    for (const [field, value] of Object.entries(fields ?? {})) {
      const control = box.current.querySelector(`[name="${CSS.escape(field)}"]`);
      if (control && control.value === control.defaultValue) control.value = value;
    }
  }, [key]);
  useEffect(() => {
    if (sent !== before.current) window.sessionStorage.removeItem(key);
    before.current = sent;
  }, [sent, key]);
  const keep = () => {
    const fields = [...box.current.querySelectorAll("textarea[name],input[name]:is([type=text],[type=email],[type=tel])")];
    const typed = Object.fromEntries(fields.map((field) => [field.name, field.value]));
    window.sessionStorage.setItem(key, JSON.stringify({ at: sent, fields: typed }));
  };
  return h("div", { ref: box, onInput: keep }, children);
};
