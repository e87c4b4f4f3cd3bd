/**
 * The server entry of React Router: draws documents. When the pages are built, for nobody in particular; in the server,
 * for one customer (`draw.js`).
 *
 * A page is drawn at once and as a whole, as no loader has data of its own. So what it is drawn with can stand where
 * every component looks for it, and no other drawing comes between.
 */
import { renderToString } from "react-dom/server";
import { ServerRouter } from "react-router";
import { initialState } from "$/utils/context";
import { h } from "$/utils/portal/common";
import { begin } from "$/utils/portal/first";
import { drawnIn, settingsOf } from "$/utils/portal/language";

export { tell } from "$/utils/portal/language";

const compiled = { ...initialState };
const orders = new WeakMap();

/** Orders the document of a request: with first data (JSON), in a language, and with the terms that the shop changed. */
export const order = (request, data, language, terms) => orders.set(request, { data, language, terms });

// What is pressed and typed before the scripts have come is held; `first.js` does it when the page can. Forms that have
// an address, such as the logout, and links work without scripts.
const HELD =
  "(h=>{const on=(k,f)=>addEventListener(k,e=>window.held&&f(e),true);" +
  "on('submit',e=>{if(!e.target.hasAttribute('action')){e.preventDefault();h.form=[e.target,e.submitter]}});" +
  "on('click',e=>{h.button=e.target.closest('button[type=button]')??h.button});" +
  "on('input',e=>h.fields.add(e.target))})(window.held={fields:new Set()})";

const script = (code, attributes = "") => `<script${attributes}>${code}</script>`;
const SCRIPTS = "<script>window.__reactRouterContext";
const escaped = (text) => text.replace(/[<>&\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);

export default async function draw(request, status, headers, context) {
  const { data, language, terms } = orders.get(request) ?? {};
  // The same for every page, as no page has a loader. React would stream it, with code of its own.
  const handoff = await new Response(context.serverHandoffStream).text();
  let html;
  // From here to `finally` nothing is awaited.
  try {
    drawnIn(language, terms);
    begin(JSON.parse(data || "{}"));
    html = renderToString(h(ServerRouter, { context: { ...context, serverHandoffStream: undefined }, url: request.url }));
  } finally {
    drawnIn();
    Object.assign(initialState, compiled);
  }
  const stream = "window.__reactRouterContext.streamController";
  const tail = script(`${stream}.enqueue(${escaped(JSON.stringify(handoff))});${stream}.close()`);
  html = html.replace("</body>", () => `${tail}</body>`);
  if (language) {
    const settings = script(escaped(settingsOf(new URL(request.url).pathname.slice(1))), ' id="settings" type="application/json"');
    const first = script(escaped(data || "{}"), ' id="first" type="application/json" data-drawn');
    html = html.replace('<html lang="nl"', `<html lang="${language}" data-drawn`).replace("<body>", () => `<body>${script(HELD)}`);
    // After what is seen, and before the scripts that read it.
    html = html.replace(SCRIPTS, (found) => settings + first + found);
  }
  headers.set("content-type", "text/html");
  return new Response(`<!DOCTYPE html>${html}`, { status, headers });
}

/** React Router would write errors into the log, with what the page was drawn with. */
export const handleError = () => {};
