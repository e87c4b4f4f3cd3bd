/** Where the visitor is, and what follows from it: the menu, its current link, the focus after a navigation. */
import { useContext, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { Link, UNSAFE_FrameworkContext as FrameworkContext, useLocation } from "react-router";
import { h, listen } from "$/utils/portal/common";

/** A path without a slash at its end. */
export const trimmed = (path) => path.replace(/\/+$/, "") || "/";
const never = () => () => {};

/**
 * The path without a slash at its end, or null while it is not known: the page that serves every dynamic address
 * is prerendered once, for no address in particular, and has to be hydrated as it was rendered.
 */
export const usePath = () => {
  const path = trimmed(useLocation().pathname);
  const shared = useContext(FrameworkContext)?.isSpaMode ?? false;
  const hydrated = useSyncExternalStore(never, () => true, () => false);
  return shared && !hydrated ? null : path;
};

/** Whether the address names a subject. One that is not known yet is that of the address. */
export const isHere = (subject) => typeof location === "undefined" || location.href.includes(subject);

/**
 * The menu for somebody who is logged in, the way back to the shop for anybody else. A protected page is only served
 * to somebody with a session, so its menu need not wait for the server to say so.
 */
export const Account = ({ protectedPaths, loggedIn, menu, guest }) => {
  const path = usePath();
  if (path === null) return null;
  return loggedIn || new RegExp(`^(?:${protectedPaths})$`).test(path) ? menu : guest;
};

/** A link of the menu: the current page, or the parent of it (`aria-current="true"`). */
export const MenuLink = ({ to, within, className, children }) => {
  const path = usePath();
  const below = path?.match(within ?? `^${to}/`);
  return h(Link, { to, className, "aria-current": path === to ? "page" : below ? "true" : undefined }, children);
};

/** After a navigation inside the page, a screen reader and the keyboard go on at the new heading. */
export const FocusOnNavigation = () => {
  const { pathname, search } = useLocation();
  const last = useRef(null);
  // Right after drawing: whoever is quicker than the next frame keeps the focus where they put it.
  useLayoutEffect(() => {
    const place = trimmed(pathname) + search;
    const first = last.current === null;
    const moved = last.current !== place;
    last.current = place;
    if (first || !moved) return undefined;
    const before = document.activeElement;
    return whenPresent("main h1", (heading) => {
      const now = document.activeElement;
      if (now === before || !now?.closest("main")) focus(heading); // a menu that closes gives the focus to its button
    });
  }, [pathname, search]);
  useEffect(() => {
    // A button that tries again disappears while it does; the heading stays.
    const retried = (event) => event.target.closest("[data-retry]") && focus(document.querySelector("main h1"));
    return listen(document, "click", retried);
  }, []);
  return null;
};

const focus = (heading) => {
  if (document.activeElement?.dataset.focusTarget) return; // what went wrong is read first
  if (!heading?.hasAttribute("tabindex")) heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
};

// The heading is there at once unless the page still loads its own script.
const whenPresent = (selector, act) => {
  let observer;
  const attempt = () => {
    const found = document.querySelector(selector);
    if (found) (act(found), observer?.disconnect());
    return found;
  };
  const frame = requestAnimationFrame(() => {
    if (attempt()) return;
    observer = new MutationObserver(attempt);
    observer.observe(document.body, { childList: true, subtree: true });
  });
  return () => {
    cancelAnimationFrame(frame);
    observer?.disconnect();
  };
};
