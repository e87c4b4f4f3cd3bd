/**
 * Draws documents for the server that started it, until that closes our input. Reads and writes messages with their length.
 *
 * A question is four bytes for its length and JSON: [number, address, language, first data as JSON, whether the browser
 * takes brotli, terms that the shop changed, nonce of the styles in the document; empty for none], and first of all
 * [number, settings that pages show]. The answer to each, in the same order, is four bytes for the number, one that says
 * whether the page was drawn, four for the length, and the document.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { createRequestHandler } from "react-router";
import * as build from "../../build/server/index.js";
import { critical, read } from "./critical.js";

// Nothing of a customer gets into a log, and nothing but answers into the output.
for (const name of ["debug", "error", "info", "log", "warn"]) console[name] = () => {};

// React Router goes through all routes for each drawing, which costs more than the drawing. A handler for one section
// knows those of the section and the page for all other addresses, and draws every address, not only those that were
// drawn when the pages were built.
const section = (path) => path.split("/")[0];
const REST = "*";
const sections = new Set(Object.values(build.routes).map(({ path }) => section(path ?? "")));
const handlers = new Map();
const handlerOf = (address) => {
  const name = sections.has(section(address)) ? section(address) : REST;
  if (!handlers.has(name)) {
    const near = (all) =>
      Object.fromEntries(Object.entries(all).filter(([id, { path }]) => id === "root" || [name, REST].includes(section(path ?? ""))));
    const part = { routes: near(build.routes), assets: { ...build.assets, routes: near(build.assets.routes) } };
    handlers.set(name, createRequestHandler({ ...build, ...part, prerender: { some: () => true } }, "production"));
  }
  return handlers.get(name);
};

const PACKED = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

// The styles of the first paint stand in the document; the style sheet does not hold it up, and counts when it has come.
const SHEET = /<link href="([^"]+)" rel="stylesheet"[^>]*>/;
// The first paint is not that of the header alone; browsers that do not know it paint as they like.
const WHOLE = '<link rel="expect" href="#main" blocking="render"/>';
const COUNTS = '(l=>{l.onload=()=>{l.media="all"}})(document.currentScript.previousSibling)';
const sheets = new Map();
const sheet = (path) => {
  if (!sheets.has(path)) sheets.set(path, read(readFileSync(join(dirname(process.argv[1]), "client", path), "utf8")));
  return sheets.get(path);
};
const styled = (html, nonce) =>
  html.replace(SHEET, (link, path) => {
    const later = `${link.replace("<link", '<link media="print"')}<script>${COUNTS}</script><noscript>${link}</noscript>`;
    return `${WHOLE}<style nonce="${nonce}">${critical(sheet(path), html)}</style>${later}`;
  });

// The document is shown first, the scripts follow.
const SCRIPTS = /<(link rel="modulepreload"|script type="module")/g;

const draw = async (address, language, data, packed, terms, nonce) => {
  if (!language) {
    build.entry.module.tell(address);
    return Buffer.alloc(0);
  }
  const request = new Request(`http://localhost${address}`);
  build.entry.module.order(request, data, language, terms);
  const response = await handlerOf(new URL(request.url).pathname.slice(1))(request);
  if (response.status !== 200) throw new RangeError();
  const html = (await response.text()).replace(SCRIPTS, '$& fetchpriority="low"');
  const page = Buffer.from(nonce ? styled(html, nonce) : html);
  return packed ? brotliCompressSync(page, PACKED) : page;
};

const answer = (number, drawn, page) => {
  const head = Buffer.alloc(9);
  head.writeUInt32BE(number, 0);
  head.writeUInt8(drawn, 4);
  head.writeUInt32BE(page.length, 5);
  process.stdout.write(Buffer.concat([head, page]));
};

let waiting = Buffer.alloc(0);
for await (const chunk of process.stdin) {
  waiting = Buffer.concat([waiting, chunk]);
  for (let end; waiting.length >= 4 && waiting.length >= (end = 4 + waiting.readUInt32BE(0)); waiting = waiting.subarray(end)) {
    const [number, ...ordered] = JSON.parse(waiting.subarray(4, end));
    try {
      answer(number, 1, await draw(...ordered));
    } catch {
      answer(number, 0, Buffer.alloc(0));
    }
  }
}
process.exit(0);
