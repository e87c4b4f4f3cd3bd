/**
 * The first data of a page stand in its document (portal/drawing). A drawn page shows them already and begins with them;
 * a page as it was built shows them when it can. Either way, until the socket brings its own.
 */
import { useContext, useEffect } from "react";
import { initialState } from "$/utils/context";
import { DispatchContext } from "$/utils/context-registry";

/** Lets the states of a page begin with these values. */
export const begin = (values) => {
  for (const name in values) if (initialState[name]) initialState[name] = { ...initialState[name], ...values[name] };
};

const block = typeof document === "undefined" ? null : document.getElementById("first");
const data = block ? JSON.parse(block.textContent) : {};
const drawn = block && "drawn" in block.dataset;
// Before anything is hydrated: it has to begin as it was drawn.
if (drawn) begin(data);

// React believes that what stands in a field when it hydrates has always been there.
const follow = (field) => {
  field._valueTracker?.setValue("\0");
  for (const type of ["click", "input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
};

/** Does what was typed and pressed before the page could (`HELD` in `server.js`). */
const catchUp = () => {
  const { form, button, fields = [] } = window.held ?? {};
  delete window.held;
  fields.forEach(follow);
  button?.click();
  form?.[0].requestSubmit(form[1]);
};

export const FirstData = () => {
  const dispatch = useContext(DispatchContext);
  useEffect(() => {
    if (!drawn) for (const name in data) dispatch[name]?.(data[name]);
    catchUp();
  }, []);
  return null;
};
