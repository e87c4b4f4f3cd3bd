/** A calendar beside a list: pressing a day chooses it in the list, where one goes on. */
import { useEffect, useState } from "react";
import { h, listen } from "$/utils/portal/common";

const found = ([name, value]) => document.querySelector(`input[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);

/** `choices` are pairs of a name and a value: the controls that stand for the day, from the outermost to the day. */
export const CalendarDay = ({ choices, children, ...rest }) => {
  const [chosen, setChosen] = useState(false);
  const place = JSON.stringify(choices);
  useEffect(() => {
    const look = () => setChosen(JSON.parse(place).every((choice) => found(choice)?.checked));
    look();
    return listen(document, "change", look);
  }, [place]);
  const choose = () => {
    const controls = choices.map(found);
    for (const control of controls) control?.click();
    const last = controls.at(-1);
    last?.focus({ preventScroll: true });
    last?.closest("label")?.scrollIntoView({ block: "center" });
  };
  return h("button", { type: "button", onClick: choose, "aria-pressed": chosen, ...rest }, children);
};
