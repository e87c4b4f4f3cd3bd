/** Native dialogs: the browser keeps the focus inside, closes on Escape and gives the focus back. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useBeforeUnload, useBlocker } from "react-router";
import { CROSS, h, Icon, listen } from "$/utils/portal/common";
import { usePath } from "$/utils/portal/navigation";

/** A dialog and the button that opens it. */
const useDialog = (text, className) => {
  const ref = useRef(null);
  const [open, setOpen] = useState(false);
  const show = () => {
    ref.current?.showModal();
    setOpen(true);
  };
  const opener = { key: "open", type: "button", className, onClick: show, "aria-haspopup": "dialog", "aria-expanded": open };
  return { ref, opener: h("button", opener, text), close: () => ref.current?.close(), onClose: () => setOpen(false) };
};

// A press beside the dialog hits the dialog element itself: its content covers the rest.
const closesBeside = (event) => event.target === event.currentTarget && event.currentTarget.close();

const CloseCross = ({ label, onClick, className }) =>
  h("button", { type: "button", onClick, className, "aria-label": label }, h(Icon, { d: CROSS, className: "size-6" }));

/** The menu of small screens. Closes on navigation and when the screen becomes wide. */
export const Drawer = ({ text, label, closeLabel, className, children }) => {
  const { ref, opener, close, onClose } = useDialog(text, className);
  const path = usePath();
  // Before the next frame, in which the heading gets the focus: behind an open dialog nothing can have it.
  useLayoutEffect(close, [path]);
  useEffect(() => listen(window.matchMedia("(min-width: 64rem)"), "change", close), []);
  return [
    opener,
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
  const { ref, opener, close, onClose } = useDialog(text, className);
  const heading = useId();
  return [
    opener,
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

// The focus starts on the safe answer.
const Question = ({ dialog, title, safe, act, onAct, onClose, children }) => {
  const id = useId();
  return h(
    "dialog",
    { ref: dialog, onClose, role: "alertdialog", "aria-labelledby": `${id}t`, "aria-describedby": `${id}d`, className: "popup" },
    h(
      "div",
      { className: "popup-panel" },
      h("h2", { id: `${id}t` }, title),
      h("div", { id: `${id}d`, className: "mt-3" }, children),
      h(
        "div",
        { className: "mt-6 flex flex-wrap gap-3" },
        h("button", { type: "button", autoFocus: true, className: "btn btn-primary", onClick: () => dialog.current?.close() }, safe),
        h("button", { type: "button", className: "btn btn-secondary", onClick: onAct }, act),
      ),
    ),
  );
};

/** A button that asks before something that cannot be undone. */
export const Confirm = ({ text, title, safe, act, onConfirm, className, children }) => {
  const { ref, opener, close, onClose } = useDialog(text, className);
  const onAct = () => {
    close();
    onConfirm?.();
  };
  return [opener, h(Question, { key: "question", dialog: ref, title, safe, act, onAct, onClose }, children)];
};

const Warning = ({ isUnsaved }) => {
  useBeforeUnload((event) => isUnsaved() && event.preventDefault());
  return null;
};

/**
 * Asks before a page is left. `asks` decides for a navigation inside the portal; while `warns`, the browser asks before
 * the page is closed or loaded anew, if `isUnsaved` then says so. `explain` returns what would be lost.
 */
export const LeaveQuestion = ({ asks, warns, isUnsaved = () => true, onLeave, explain, title, stay, leave }) => {
  const dialog = useRef(null);
  const blocker = useBlocker(asks);
  const blocked = blocker.state === "blocked";
  useEffect(() => {
    if (blocked) dialog.current?.showModal();
  }, [blocked]);
  const onAct = () => {
    onLeave();
    blocker.proceed?.();
  };
  return [
    h(Question, { key: "question", dialog, title, safe: stay, act: leave, onAct, onClose: () => blocked && blocker.reset() }, blocked ? h("p", null, explain()) : null),
    // Only while there is something to lose: the browser keeps no page for "back" that listens.
    warns ? h(Warning, { key: "warning", isUnsaved }) : null,
  ];
};
