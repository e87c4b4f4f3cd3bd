/** Native dialogs: the browser keeps the focus inside, closes on Escape and gives the focus back. */
import { createElement as h, useEffect, useId, useRef, useState } from "react";
import { usePath } from "$/utils/portal/navigation";

const useDialog = () => {
  const ref = useRef(null);
  const [open, setOpen] = useState(false);
  const show = () => {
    ref.current?.showModal();
    setOpen(true);
  };
  const close = () => ref.current?.close();
  return { ref, open, show, close, onClose: () => setOpen(false) };
};

// A press beside the dialog lands on the dialog element itself: its content covers the rest.
const closesBeside = (event) => event.target === event.currentTarget && event.currentTarget.close();

const CloseCross = ({ label, onClick, className }) =>
  h(
    "button",
    { type: "button", onClick, className, "aria-label": label },
    h(
      "svg",
      { viewBox: "0 0 24 24", className: "size-6", fill: "none", stroke: "currentColor", strokeWidth: 2, strokeLinecap: "round", "aria-hidden": true },
      h("path", { d: "M6 6 18 18M18 6 6 18" }),
    ),
  );

/** The menu of small screens. Closes on navigation and when the screen becomes wide. */
export const Drawer = ({ text, label, closeLabel, className, children }) => {
  const { ref, open, show, close, onClose } = useDialog();
  const path = usePath();
  useEffect(() => ref.current?.close(), [path]);
  useEffect(() => {
    const wide = window.matchMedia("(min-width: 64rem)");
    const follow = () => wide.matches && ref.current?.close();
    wide.addEventListener("change", follow);
    return () => wide.removeEventListener("change", follow);
  }, []);
  return [
    h(
      "button",
      { key: "open", type: "button", className, onClick: show, "aria-expanded": open, "aria-haspopup": "dialog" },
      text,
    ),
    h(
      "dialog",
      { key: "dialog", ref, onClose, onClick: closesBeside, "aria-label": label, className: "drawer" },
      h(
        "div",
        { className: "drawer-panel" },
        h(CloseCross, { label: closeLabel, onClick: close, className: "icon-button self-end" }),
        children,
      ),
    ),
  ];
};

/** A button that opens an explanation. */
export const Popup = ({ text, title, closeLabel, className, children }) => {
  const { ref, open, show, close, onClose } = useDialog();
  const heading = useId();
  return [
    h(
      "button",
      { key: "open", type: "button", className, onClick: show, "aria-haspopup": "dialog", "aria-expanded": open },
      text,
    ),
    h(
      "dialog",
      { key: "dialog", ref, onClose, onClick: closesBeside, "aria-labelledby": heading, className: "popup" },
      h(
        "div",
        { className: "popup-panel" },
        h(
          "div",
          { className: "flex items-start gap-4" },
          h("h2", { id: heading, className: "grow" }, title),
          h(CloseCross, { label: closeLabel, onClick: close, className: "icon-button -mt-1 -mr-2" }),
        ),
        children,
      ),
    ),
  ];
};

/** Asks before something that cannot be undone. The focus starts on the safe answer. */
export const Confirm = ({ text, title, safe, act, onConfirm, className, children }) => {
  const { ref, open, show, close, onClose } = useDialog();
  const id = useId();
  const confirm = () => {
    close();
    onConfirm?.();
  };
  return [
    h(
      "button",
      { key: "open", type: "button", className, onClick: show, "aria-haspopup": "dialog", "aria-expanded": open },
      text,
    ),
    h(
      "dialog",
      { key: "dialog", ref, onClose, role: "alertdialog", "aria-labelledby": `${id}t`, "aria-describedby": `${id}d`, className: "popup" },
      h(
        "div",
        { className: "popup-panel" },
        h("h2", { id: `${id}t` }, title),
        h("div", { id: `${id}d`, className: "mt-3" }, children),
        h(
          "div",
          { className: "mt-6 flex flex-wrap gap-3" },
          h("button", { type: "button", autoFocus: true, className: "btn btn-primary", onClick: close }, safe),
          h("button", { type: "button", className: "btn btn-secondary", onClick: confirm }, act),
        ),
      ),
    ),
  ];
};
