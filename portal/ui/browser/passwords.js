/** Passwords: shown when somebody wants to read what they type, held against the rules while it is typed. */
import { createElement as h, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

/** A field for a password, with a button that shows it. What is sent is never shown. */
export const PasswordInput = ({ name, label, show, hide, shownText, hiddenText, className, ...rest }) => {
  const control = useRef(null);
  const [shown, setShown] = useState(null);
  useEffect(() => {
    const form = control.current?.form;
    const cover = () => setShown((before) => before && false);
    form?.addEventListener("submit", cover);
    return () => form?.removeEventListener("submit", cover);
  }, []);
  return h(
    "div",
    { className: "flex items-stretch gap-2" },
    h("input", { ref: control, type: shown ? "text" : "password", name, className, "data-secret": "", spellCheck: false, autoCapitalize: "none", ...rest }),
    h(
      "button",
      { type: "button", "aria-controls": rest.id, className: "btn btn-secondary shrink-0 rounded-control px-4", onClick: () => setShown(!shown) },
      shown ? hide : show,
      h("span", { className: "sr-only" }, ` ${label}`),
    ),
    h("span", { role: "status", className: "sr-only" }, shown === null ? "" : shown ? shownText : hiddenText),
  );
};

// As portal/domain/passwords.py; the server decides.
const HELD = {
  length: (text) => text.length >= 8 && text.length <= 64,
  capital: (text) => text.some((sign) => /\p{Uppercase}/u.test(sign)),
  letter: (text) => text.some((sign) => /\p{L}/u.test(sign)),
  digit: (text) => text.some((sign) => /\p{Nd}/u.test(sign)),
  special: (text) => text.some((sign) => /[^\p{L}\p{N}\s]/u.test(sign)),
};

const mark = (met) =>
  h(
    "svg",
    { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", strokeWidth: 2.5, strokeLinecap: "round", strokeLinejoin: "round", "aria-hidden": true, className: "mt-0.5 size-5 shrink-0" },
    met ? h("path", { d: "m5 12.5 5 5L19 7" }) : h("circle", { cx: 12, cy: 12, r: 7 }),
  );

/** The rules, each with whether what stands in `field` keeps it; how many are kept is said aloud after a pause. */
export const PasswordRules = ({ field, rules, done, open, counted, label, className }) => {
  const [text, setText] = useState([]);
  const [said, setSaid] = useState("");
  useEffect(() => {
    const control = document.getElementById(field);
    if (!control) return undefined;
    const read = () => setText([...control.value]);
    read();
    control.addEventListener("input", read);
    return () => control.removeEventListener("input", read);
  }, [field]);
  const kept = rules.map(([key]) => HELD[key](text));
  const sentence = counted.replace("{n}", kept.filter(Boolean).length).replace("{total}", rules.length);
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text.length ? sentence : ""), 1000);
    return () => clearTimeout(timer);
  }, [sentence, text.length]);
  return h(
    "div",
    { className },
    h(
      "ul",
      { "aria-label": label, className: "space-y-1" },
      rules.map(([key, name], place) =>
        h(
          "li",
          { key, "data-kept": kept[place], className: `flex gap-2 ${kept[place] ? "text-ok" : "text-ink-600"}` },
          mark(kept[place]),
          h("span", null, name, h("span", { className: "sr-only" }, `: ${kept[place] ? done : open}`)),
        ),
      ),
    ),
    h("span", { role: "status", className: "sr-only" }, said),
  );
};

/** The end of the address, as a value that travels with a form. It is kept nowhere else. */
export const EndOfAddress = ({ name }) => {
  const { pathname } = useLocation();
  return h("input", { type: "hidden", name, value: pathname.replace(/\/+$/, "").split("/").pop(), readOnly: true });
};
