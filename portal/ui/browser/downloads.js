/** A download that says beside its link when it failed. Without scripts the link works by itself. */
import { useEffect, useRef, useState } from "react";
import { h } from "$/utils/portal/common";
import { useLanguage } from "$/utils/portal/language";
import { toast } from "$/utils/portal/toasts";

const TIMEOUT = 60000;

const nameIn = (disposition) => {
  const found = disposition?.match(/filename\*=UTF-8''([^;]+)/)?.[1];
  return found ? decodeURIComponent(found) : "document.pdf";
};

const save = (blob, name) => {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), TIMEOUT);
};

// The browser followed a link by itself, before our scripts had loaded, and was sent back: said until it is closed.
const failedBefore = (code, failure) => {
  if (new URLSearchParams(window.location.search).get("error") !== code) return;
  window.history.replaceState(window.history.state, "", window.location.pathname);
  toast({ kind: "error", timeout: -1, title: failure, text: null });
};

/**
 * `code` stands in the address when the download failed before our scripts had loaded. `failure` is the notification;
 * `failedText` and `pendingText` stand beside the link.
 */
export const DownloadLink = ({ href, code, failure, failedText, pendingText, className, children }) => {
  const language = useLanguage();
  const busy = useRef(false);
  const [state, setState] = useState("");
  useEffect(() => failedBefore(code, failure), []);
  const address = `${href}?lang=${language}`;
  const fetchIt = async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (busy.current) return;
    busy.current = true;
    setState("pending");
    try {
      const answer = await fetch(address, {
        headers: { Accept: "application/pdf, text/calendar, application/json" },
        signal: AbortSignal.timeout(TIMEOUT),
      });
      if (answer.status === 401) return window.location.reload();
      if (!answer.ok) throw new Error(String(answer.status));
      save(await answer.blob(), nameIn(answer.headers.get("content-disposition")));
      setState("");
    } catch {
      setState("failed");
      toast({ kind: "error", quiet: true, timeout: 4000, title: failure, text: null });
    } finally {
      busy.current = false;
    }
    return undefined;
  };
  return [
    h("a", { key: "link", href: address, onClick: fetchIt, className, "aria-busy": state === "pending" || undefined }, children),
    h(
      "span",
      { key: "status", role: "status", className: state === "failed" ? "block text-err font-semibold" : "sr-only" },
      state === "failed" ? failedText : state === "pending" ? pendingText : "",
    ),
  ];
};
