/** Passwords: shown when somebody wants to read what they type, checked against the rules while they type. */
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { DelayedStatus, fill, h, Icon, listen, Status, useField } from "$/utils/portal/common";
import { trimmed } from "$/utils/portal/navigation";

/** A field for a password, with a button that shows it. What is sent is never shown. */
export const PasswordInput = ({ name, label, show, hide, shownText, hiddenText, className, ...rest }) => {
  const control = useRef(null);
  const [shown, setShown] = useState(null);
  useEffect(() => listen(control.current?.form, "submit", () => setShown((before) => before && false)), []);
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
    h(Status, null, shown === null ? "" : shown ? shownText : hiddenText),
  );
};

// As portal/kernel/validation.py; the server decides.
const RULES = {
  length: (text) => text.length >= 8 && text.length <= 64,
  capital: (text) => text.some((sign) => /\p{Uppercase}/u.test(sign)),
  letter: (text) => text.some((sign) => /\p{L}/u.test(sign)),
  digit: (text) => text.some((sign) => /\p{Nd}/u.test(sign)),
  special: (text) => text.some((sign) => /[^\p{L}\p{N}\s]/u.test(sign)),
};

const characters = (text) => [...text];

/** The rules, each with whether the value of `field` meets it; screen readers hear how many after a pause in typing. */
export const PasswordRules = ({ field, rules, done, open, counted, label, className }) => {
  const text = useField(field, characters, []);
  const met = rules.map(([key]) => RULES[key](text));
  const sentence = fill(counted, { n: met.filter(Boolean).length, total: rules.length });
  return h(
    "div",
    { className },
    h(
      "ul",
      { "aria-label": label, className: "space-y-1" },
      rules.map(([key, name], place) =>
        h(
          "li",
          { key, "data-met": met[place], className: `flex gap-2 ${met[place] ? "text-ok" : "text-ink-600"}` },
          h(
            Icon,
            { d: met[place] ? "m5 12.5 5 5L19 7" : null, strokeWidth: 2.5, className: "mt-0.5 size-5 shrink-0" },
            met[place] ? null : h("circle", { cx: 12, cy: 12, r: 7 }),
          ),
          h("span", null, name, h("span", { className: "sr-only" }, `: ${met[place] ? done : open}`)),
        ),
      ),
    ),
    h(DelayedStatus, { text: text.length ? sentence : "" }),
  );
};

/** The end of the address as a hidden field of a form. It stands nowhere else. */
export const EndOfAddress = ({ name }) => {
  const { pathname } = useLocation();
  return h("input", { type: "hidden", name, value: trimmed(pathname).split("/").pop(), readOnly: true });
};
