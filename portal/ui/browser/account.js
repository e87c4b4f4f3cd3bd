/** What the forms of the account need: a question before unsaved input is lost, a wait that counts down. */
import { useEffect, useRef, useState } from "react";
import { counted, everySecond, h, listen, secondsUntil } from "$/utils/portal/common";
import { LeaveQuestion } from "$/utils/portal/dialog";

/** Stands inside a form: asks before a page is left with something typed there and not saved. */
export const UnsavedGuard = ({ text, ...texts }) => {
  const marker = useRef(null);
  const [dirty, setDirty] = useState(false);
  useEffect(() => listen(marker.current?.closest("form"), "input", () => setDirty(true)), []);
  return [
    h("span", { key: "marker", ref: marker, hidden: true }),
    h(LeaveQuestion, {
      key: "question",
      asks: ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
      warns: dirty,
      onLeave: () => setDirty(false),
      explain: () => text,
      ...texts,
    }),
  ];
};

/** Shows how many seconds are left; nothing after that. `forms` are the texts for one and for more. */
export const Wait = ({ until, forms, className }) => {
  const [left, setLeft] = useState(0);
  useEffect(() => everySecond(() => setLeft(secondsUntil(until))), [until]);
  return left ? h("p", { className }, counted(forms, left)) : null;
};
