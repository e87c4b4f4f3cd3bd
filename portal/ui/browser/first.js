/** Shows the data that the document asked for beside its scripts (portal/ui/page.py) until the socket brings its own. */
import { useContext, useEffect } from "react";
import { app, DispatchContext, StateStoreContext } from "$/utils/context-registry";

export const FirstData = () => {
  const store = useContext(StateStoreContext);
  const dispatch = useContext(DispatchContext);
  useEffect(() => {
    const first = window.firstData;
    delete window.firstData;
    first?.answer.then((data) => {
      const parts = Object.keys(data ?? {});
      // Not on another page, and not over what the socket has brought already: that is newer.
      const fresh = (part) => dispatch[part] && store.getSnapshot(part) === app.initialState[part];
      if (first.at !== location.pathname + location.search || !parts.every(fresh)) return;
      parts.forEach((part) => dispatch[part](data[part]));
    });
  }, []);
  return null;
};
