/** The staff site: a file opens in a dialog. Photos zoom and turn by button, key, wheel and two fingers; videos play. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { h, listen } from "$/utils/portal/common";

const LARGEST = 8;
const STEP = 1.5;
const within = (zoom) => Math.min(Math.max(zoom, 1), LARGEST);
const apart = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

const Photo = ({ address, name, texts, onBroken }) => {
  const box = useRef(null);
  const before = useRef(1);
  const [size, setSize] = useState(null);
  const [zoom, setZoom] = useState(1);
  const [turns, setTurns] = useState(0);
  const larger = (factor) => setZoom((now) => within(now * factor));
  const turn = (step) => setTurns((now) => now + step);

  // React listens to fingers and wheel in a way that cannot keep the page from moving along.
  useEffect(() => {
    let last = 0;
    const fingers = (event) => {
      if (event.touches.length !== 2) return;
      event.preventDefault();
      const now = apart(event.touches);
      if (event.type === "touchmove" && last) larger(now / last);
      last = now;
    };
    const wheel = (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      larger(Math.exp(-event.deltaY / 100));
    };
    const stops = [listen(box.current, "touchstart touchmove", fingers), listen(box.current, "wheel", wheel)];
    return () => stops.forEach((stop) => stop());
  }, []);
  // What was in the middle stays there.
  useLayoutEffect(() => {
    const { current: frame } = box;
    const factor = zoom / before.current;
    before.current = zoom;
    frame.scrollLeft = (frame.scrollLeft + frame.clientWidth / 2) * factor - frame.clientWidth / 2;
    frame.scrollTop = (frame.scrollTop + frame.clientHeight / 2) * factor - frame.clientHeight / 2;
  }, [zoom]);
  useEffect(() => {
    const acts = { "+": () => larger(STEP), "=": () => larger(STEP), "-": () => larger(1 / STEP), 0: () => setZoom(1), r: () => turn(1), l: () => turn(-1) };
    return listen(box.current.closest("dialog"), "keydown", (event) => {
      const act = !event.ctrlKey && !event.metaKey && !event.altKey && acts[event.key];
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });
  }, []);

  const lying = turns % 2 !== 0;
  const [wide, high] = lying ? [size?.[1], size?.[0]] : [size?.[0], size?.[1]];
  const scale = size ? Math.min(box.current.offsetWidth / wide, box.current.offsetHeight / high) * zoom : 0;
  const button = (text, keys, onClick) => h("button", { key: text, type: "button", className: "btn btn-secondary", onClick, "aria-keyshortcuts": keys }, text);
  return [
    h("div", { key: "acts", className: "mb-3 flex flex-wrap gap-2" }, [
      button(texts.larger, "+", () => larger(STEP)),
      button(texts.smaller, "-", () => larger(1 / STEP)),
      button(texts.turn, "r", () => turn(1)),
    ]),
    h(
      "div",
      { key: "box", ref: box, tabIndex: 0, role: "region", "aria-label": texts.picture, className: "grid h-[65dvh] touch-pan-x touch-pan-y place-items-center overflow-auto rounded-control bg-paper-2" },
      h(
        "div",
        { className: "relative", style: { width: wide * scale || 0, height: high * scale || 0 } },
        h("img", {
          src: address,
          alt: name,
          "data-zoom": Math.round(zoom * 100),
          "data-turns": ((turns % 4) + 4) % 4,
          onLoad: ({ target }) => setSize([target.naturalWidth || 1, target.naturalHeight || 1]),
          onError: onBroken,
          className: "absolute top-1/2 left-1/2 max-w-none",
          style: { width: size ? size[0] * scale : 0, transform: `translate(-50%, -50%) rotate(${turns * 90}deg)` },
        }),
      ),
    ),
    h("p", { key: "keys", className: "mt-2 text-sm text-ink-600 max-md:hidden" }, texts.keys),
  ];
};

const Shown = ({ address, name, video, texts, close }) => {
  const [broken, setBroken] = useState(false);
  const title = useId();
  const onBroken = () => setBroken(true);
  return [
    h(
      "div",
      { key: "head", className: "mb-3 flex flex-wrap items-center gap-x-4 gap-y-2" },
      h("h2", { id: title, className: "min-w-0 grow wrap-anywhere text-base font-semibold" }, name),
      h("a", { href: address, target: "_blank", rel: "noopener", className: "underline" }, texts.tab),
      h("button", { ref: (button) => button?.setAttribute("autofocus", ""), type: "button", className: "btn-text", onClick: close }, texts.close),
    ),
    broken
      ? h("p", { key: "broken", role: "alert", className: "py-6" }, texts.broken)
      : video
        ? h("video", { key: "video", src: address, controls: true, preload: "metadata", playsInline: true, "aria-labelledby": title, onError: onBroken, className: "max-h-[70dvh] w-full bg-panel" })
        : h(Photo, { key: "photo", address, name, texts, onBroken }),
  ];
};

/** A button, with what it shows, that opens a photo or a video. Nothing of the file is loaded before. */
export const OpenFile = ({ address, name, video, texts, className, children }) => {
  const dialog = useRef(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (open) dialog.current.showModal();
  }, [open]);
  return [
    h("button", { key: "open", type: "button", className, onClick: () => setOpen(true), "aria-haspopup": "dialog" }, children),
    open
      ? h(
          "dialog",
          { key: "dialog", ref: dialog, onClose: () => setOpen(false), "aria-label": name, className: "m-auto w-[calc(100vw-1rem)] max-w-5xl rounded-panel bg-white p-4 shadow-overlay" },
          h(Shown, { address, name, video: video === "true", texts, close: () => dialog.current.close() }),
        )
      : null,
  ];
};
