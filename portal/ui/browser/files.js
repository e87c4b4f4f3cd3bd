/** A field for files: choose or drop them, follow each while it is sent, stop, try again, remove. */
import { useEffect, useMemo, useRef, useState } from "react";
import { fill, h, listen, useStore } from "$/utils/portal/common";
import { Confirm } from "$/utils/portal/dialog";
import { number } from "$/utils/portal/formats";
import { useLanguage } from "$/utils/portal/language";
import { toast } from "$/utils/portal/toasts";
import { filesOf, isRunning } from "$/utils/portal/uploads";

const NONE = [];
const MILLISECONDS = 3000;
const both = (text) => ({ nl: text, en: text });

const amount = (language, bytes) =>
  bytes < 1_000_000 ? `${number(language, Math.round(bytes / 1000) || Math.ceil(bytes / 1000), 0)}\u00a0kB` : `${number(language, bytes / 1_000_000, 1)}\u00a0MB`;

const Picture = ({ row, at }) => {
  const [broken, setBroken] = useState(false);
  const box = "size-14 shrink-0 rounded-control";
  if (row.state === "done" && row.photo && !broken)
    return h("img", { src: `${at}/uploads/${row.id}/preview`, alt: "", width: 56, height: 56, className: `${box} thumbnail`, onError: () => setBroken(true) });
  const ending = row.kind || (row.name.includes(".") ? row.name.split(".").pop().slice(0, 4).toUpperCase() : "?");
  return h("span", { className: `${box} file-mark`, "data-kind": ending, "aria-hidden": true }, ending);
};

const BAR =
  "mt-2 block h-2 w-full appearance-none overflow-hidden rounded-pill bg-line [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-signal-600 [&::-moz-progress-bar]:bg-signal-600";

const percentOf = (row) => Math.min(100, Math.floor((row.sent / row.size) * 100));

const Bar = ({ row, texts, language }) => {
  const progress = fill(texts.progress, { percent: percentOf(row), done: amount(language, row.sent), all: amount(language, row.size) });
  return h("progress", { value: row.sent, max: row.size, "aria-label": row.name, "aria-valuetext": progress, className: BAR });
};

const Row = ({ row, at, texts, messages, language, last, again, remove }) => {
  const running = isRunning(row);
  const named = (text) => [text, h("span", { key: "name", className: "sr-only" }, ` ${row.name}`)];
  const status = { waiting: texts.waiting, checking: texts.checking, done: texts.done, failed: texts.failed };
  const text = row.state === "sending" ? `${percentOf(row)}%` : status[row.state];
  const away = running ? texts.cancel : texts.remove;
  return h(
    "li",
    { className: "grid grid-cols-[3.5rem_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 p-4", "data-state": row.state },
    h(Picture, { row, at, key: `${row.id}` }),
    h(
      "div",
      { className: row.state === "failed" ? "min-w-0 max-sm:col-span-2" : "min-w-0" },
      h("p", { className: "truncate font-semibold", title: row.name }, row.name),
      h("p", { className: "text-sm text-ink-600 tabular-nums" }, amount(language, row.size), " · ", text),
      running ? h(Bar, { row, texts, language }) : null,
      row.state === "failed" ? h("p", { className: "mt-1 font-semibold text-err" }, messages[row.code] ?? messages.upload_failed) : null,
    ),
    h(
      "div",
      { className: row.state === "failed" ? "flex flex-wrap gap-x-4 max-sm:col-start-2 max-sm:col-span-2" : "flex" },
      row.state === "failed" && !row.final ? h("button", { type: "button", className: "btn-text", onClick: () => again(row.key) }, named(texts.again)) : null,
      last
        ? h(Confirm, { text: named(texts.remove), title: texts.lastTitle, safe: texts.keep, act: texts.remove, onConfirm: () => remove(row), className: "btn-text" }, h("p", null, fill(texts.lastText, { name: row.name })))
        : h("button", { type: "button", className: "btn-text", onClick: () => remove(row) }, named(away)),
    ),
  );
};

/** `at` is where files are announced and sent; `known` are the files that the server lists; `onChanged` asks it for the list again. */
export const FileField = ({ at = "/files", draft, field, known = NONE, maximum, largest, endings, accept, capture, describedBy, invalid, texts, messages, onChanged, roomy = false }) => {
  const language = useLanguage();
  const files = useMemo(() => filesOf(at, draft, field), [at, draft, field]);
  useStore(files.rows, NONE);
  const [refusal, setRefusal] = useState("");
  const [over, setOver] = useState(false);
  const box = useRef(null);
  const input = useRef(null);
  const rows = files.merged(known);
  const running = rows.filter(isRunning).length;
  const failures = rows.filter(({ state }) => state === "failed");
  const failed = failures.length;
  const reported = useRef(null);
  const done = rows.filter(({ state }) => state === "done");
  const blocked = useRef("");
  blocked.current = running ? texts.stillRunning : failed ? texts.notUploaded : "";

  // A failure is one notification as well; several files that fail together share it.
  useEffect(() => {
    const fresh = reported.current && failures.find(({ key }) => !reported.current.has(key));
    reported.current = new Set(failures.map(({ key }) => key));
    if (!fresh) return;
    const reason = messages[fresh.code];
    const text = reason && reason !== messages.upload_failed ? `${fresh.name}: ${reason}` : fresh.name;
    toast({ kind: "error", timeout: MILLISECONDS, title: both(messages.upload_failed), text: both(text) });
  });
  useEffect(() => files.settle(known), [files, known]);
  useEffect(() => files.onChange(onChanged), [files, onChanged]);
  useEffect(() => {
    if (refusal && !running && !failed) setRefusal("");
  }, [refusal, running, failed]);
  useEffect(() => {
    const form = box.current.closest("form");
    const control = input.current;
    // Before all other listeners: the form is not sent, and they do not take it for sent.
    const hold = (event) => {
      if (!blocked.current) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      setRefusal(blocked.current);
    };
    // A chosen file is not unsaved input: it is saved by itself.
    const quiet = (event) => event.stopPropagation();
    const stops = [listen(form, "submit", hold, true), listen(control, "input", quiet)];
    return () => stops.forEach((stop) => stop());
  }, []);

  const problem = (room) => (file) => {
    const name = file.name.toLowerCase();
    if (!endings.some((ending) => name.endsWith(ending))) return "file_not_allowed";
    if (file.size > largest) return "max_upload_size_reached";
    if (!file.size) return "file_empty";
    return room.left-- > 0 ? "" : "max_upload_file_count_reached";
  };
  const add = (list) => {
    setRefusal("");
    const taken = rows.filter((row) => !row.final).length;
    files.add([...list], problem({ left: maximum - taken }));
  };
  const chosen = (event) => {
    add(event.target.files);
    event.target.value = ""; // the same file can be chosen again
  };
  const dropped = (event) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer.files.length) add(event.dataTransfer.files);
  };
  const drag = (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  const remove = (row) => {
    const at = rows.findIndex(({ key }) => key === row.key);
    files.remove(row);
    // The focus goes to the row that takes its place, else to the button.
    requestAnimationFrame(() => {
      const buttons = box.current?.querySelectorAll("li > div:last-child > button:last-of-type") ?? [];
      (buttons[Math.min(at, buttons.length - 1)] ?? input.current)?.focus();
    });
  };
  return h(
    "div",
    { ref: box, "data-busy": running ? "" : undefined, className: "mt-3" },
    h(
      "div",
      {
        className: `${maximum === 1 && done.length ? "hidden" : "flex"} flex-wrap items-center gap-4 rounded-card border-dashed p-5 ${roomy && !rows.length ? "lg:min-h-[24dvh] lg:justify-center" : ""} ${over ? "border-2 border-ink bg-signal-100" : invalid === "true" ? "border-3 border-err-line bg-white" : "border-2 border-line-strong bg-white"}`,
        onDragOver: drag,
        onDragEnter: drag,
        onDragLeave: () => setOver(false),
        onDrop: dropped,
      },
      h("input", { ref: input, type: "file", multiple: maximum > 1, id: field, name: field, accept, capture, onChange: chosen, className: "peer sr-only", "aria-describedby": describedBy, "aria-invalid": invalid }),
      h("label", { htmlFor: field, className: "btn btn-secondary peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus" }, done.length ? texts.more : texts.choose),
      h("span", { className: "text-ink-600 max-md:hidden", "aria-hidden": true }, texts.drop),
    ),
    refusal ? h("p", { role: "alert", className: "mt-3 font-semibold text-err" }, refusal) : null,
    rows.length
      ? h(
          "ul",
          { "aria-label": texts.list, className: "mt-4 divide-y divide-line rounded-card border border-line bg-white" },
          rows.map((row) =>
            h(Row, { key: row.key, row, at, texts, messages, language, again: files.again, remove, last: row.state === "done" && done.length === 1 && !running }),
          ),
        )
      : null,
    h("p", { role: "status", className: "mt-3 text-ink-600 tabular-nums" }, rows.length ? fill(texts.count, { done: done.length, all: rows.length }) : ""),
    done.map(({ id }) => h("input", { key: id, type: "hidden", name: field, value: id })),
  );
};
