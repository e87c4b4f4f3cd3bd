/**
 * Stands in for React in the browser (portal/reflex_adapter/patches.py): Preact, a third of its size. React draws the
 * documents all the same, when the pages are built and in the server; Preact takes over what stands in them.
 *
 * Preact knows nothing of the head of a document, so it gets the body alone. What React would have put into the head from
 * within a page is done here.
 */
import { Fragment, options } from "preact";
import { Suspense, createElement, hydrate, useEffect, useLayoutEffect } from "preact/compat";
export * from "preact/compat";
export { default } from "preact/compat";

/** Of React only. React Router calls it, and shows what it returns only where it is told to use transitions. */
export const useOptimistic = (state) => [state, () => {}];

// Effects run right after drawing, as in React. Preact would wait for a frame, and a hidden tab has none.
const { port1, port2 } = new MessageChannel();
options.requestAnimationFrame = (flush) => {
  port1.onmessage = flush;
  port2.postMessage(null);
};

const Nothing = () => null;

const Title = ({ children }) => {
  const text = [children].flat().join("");
  useLayoutEffect(() => {
    if (document.title !== text) document.title = text;
  }, [text]);
  return null;
};

// What the browser should fetch ahead.
const Link = (props) => {
  useEffect(() => {
    const known = [...document.head.querySelectorAll("link")].some((link) => link.getAttribute("href") === props.href);
    const given = Object.entries(props).filter(([, value]) => value !== undefined);
    if (!known) document.head.append(Object.assign(document.createElement("link"), Object.fromEntries(given)));
  }, [props.href]);
  return null;
};

// Scripts have run when the document came.
const OUTSIDE = new Map(Object.entries({ head: Nothing, html: Fragment, link: Link, meta: Nothing, script: Nothing, title: Title }));

// React gives the focus to a control that appears with `autoFocus`; the browser only does so when a document comes.
let alive = false;
// The bar of a visit is no part of the page (portal/web/visits.py), and Preact removes what it does not know.
const bar = document.getElementById("visit");
const focus = (control) => alive && control?.focus();
const Alive = ({ children }) => {
  useEffect(() => {
    alive = true;
    if (bar) document.body.prepend(bar);
  }, []);
  return children;
};

// Preact looks for the initial choice of a list among its direct children only, and ours are made by components.
const chosen = new WeakSet();
const choosing = (value, ref) => (control) => {
  if (alive && control && !chosen.has(control)) control.value = value;
  if (control) chosen.add(control);
  if (typeof ref === "function") ref(control);
  else if (ref) ref.current = control;
};

// React draws nothing for an empty text, and Preact would add an empty node to the document.
const drawn = (child) => (child === "" ? null : child);
const { vnode: made } = options;
options.vnode = (vnode) => {
  vnode.type = OUTSIDE.get(vnode.type) ?? vnode.type;
  const { autoFocus, children, defaultValue } = vnode.props;
  if (vnode.type === "select" && defaultValue !== undefined) vnode.ref = choosing(defaultValue, vnode.ref);
  if (autoFocus && typeof vnode.type === "string") vnode.ref ??= focus;
  if (children === "" || (Array.isArray(children) && children.includes(""))) vnode.props.children = [children].flat().map(drawn);
  made?.(vnode);
};

/** Takes over the document. React Router waits for the data of its routes and says so by throwing a promise. */
export const hydrateRoot = async ({ body }, page) => {
  // A step that was pressed before leads on, unless it is refused: then the page is needed.
  await window.held?.sent;
  const around = { nodeType: 1, namespaceURI: body.namespaceURI, firstChild: body, childNodes: [body], insertBefore() {} };
  bar?.remove();
  hydrate(createElement(Suspense, null, createElement(Alive, null, page)), around);
};
