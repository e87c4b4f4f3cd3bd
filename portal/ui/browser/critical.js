/**
 * Runs outside of the browser: finds the rules of the style sheet that a drawn document needs for its first paint. They
 * stand in the document, which then waits for no other file. A rule too many costs bytes and nothing else.
 */

// What nobody sees before the whole sheet is there.
const LATER = /^@media (\(hover:hover\)|print|\(scripting:none\))|^@keyframes/;
const TOUCHED = /(?<!\\):(hover|active|focus|backdrop|placeholder)/;
const NAME = /\.((?:\\[0-9a-f]{1,6} ?|\\.|[\w-])+)/g;
const unescaped = (name) => name.replace(/\\(?:([0-9a-f]{1,6}) ?|(.))/g, (_, hex, sign) => sign ?? String.fromCodePoint(parseInt(hex, 16)));
const variables = (text) => [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name);

/** Where the brackets end that open at `at`. */
const end = (text, at) => {
  for (let depth = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\") at++;
    else if (sign === '"' || sign === "'") while (text[++at] !== sign) at += text[at] === "\\";
    else if ("{([".includes(sign)) depth++;
    else if ("})]".includes(sign) && !--depth) break;
  }
  return at + 1;
};

/** The parts between separators that stand in no brackets. */
const split = (text, separator) => {
  const found = [""];
  for (let at = 0, next; at < text.length; at = next) {
    next = "([".includes(text[at]) ? end(text, at) : at + (text[at] === "\\" ? 2 : 1);
    if (text[at] === separator) found.push("");
    else found[found.length - 1] += text.slice(at, next);
  }
  return found.filter(Boolean);
};

/** What a document must have for a selector to find anything: classes, and beginnings of attributes and elements. */
const needs = (selector) => {
  let text = selector;
  for (let at; (at = text.search(/(?<!\\):(not|has|is|where)\(/)) >= 0; ) {
    const open = text.indexOf("(", at);
    const inner = text.slice(open + 1, end(text, open) - 1);
    const counts = /^:(is|where)/.test(text.slice(at)) && split(inner, ",").length === 1;
    text = `${text.slice(0, at)}${counts ? inner : ""}${text.slice(end(text, open))}`;
  }
  const bare = text.replace(NAME, ".");
  const attributes = [...bare.matchAll(/\[([\w-]+)/g)].map(([, name]) => ` ${name}`);
  const elements = [...bare.replace(/\[[^\]]*\]/g, "[").matchAll(/(?<![\w:.#-])[a-z][a-z0-9]*/g)].map(([name]) => `<${name}`);
  return { classes: [...text.matchAll(NAME)].map(([, name]) => unescaped(name)), others: [...attributes, ...elements] };
};

/** Reads a style sheet, once. */
export const read = (css) => {
  const rules = [];
  for (let at = 0; at < css.length; ) {
    const begin = css.slice(at).search(/[{;]/) + at;
    if (begin < at) break;
    const after = css[begin] === ";" ? begin + 1 : end(css, begin);
    const head = css.slice(at, begin).replace(/\/\*.*?\*\//gs, "").trim();
    const [text, body] = [head + css.slice(begin, after), css.slice(begin + 1, after - 1)];
    at = after;
    if (LATER.test(head)) continue;
    if (/^@(media|supports|layer|container)/.test(head) && body) rules.push({ head, inner: read(body) });
    else if (head.startsWith("@property")) rules.push({ text, variable: head.slice(10) });
    else if (head.startsWith("@")) rules.push({ text, uses: [] });
    else {
      const selectors = split(head, ",").filter((selector) => !TOUCHED.test(selector)).map(needs);
      const isEverywhere = selectors.some(({ classes, others }) => !classes.length && !others.length);
      const declared = split(body, ";").map((line) => ({ line, name: line.match(/^--[\w-]+/)?.[0], uses: variables(line) }));
      if (isEverywhere) rules.push({ head, declared });
      else if (selectors.length) rules.push({ text, selectors, uses: variables(body) });
    }
  }
  return rules;
};

/** The rules that a document needs, with the variables that they use. */
export const critical = (rules, html) => {
  // Scripts in the head add the first two.
  const lists = new Set(["font-loaded lang-pending"]);
  for (const [, list] of html.matchAll(/ class="([^"]*)"/g)) lists.add(list);
  const classes = new Set([...lists].join(" ").replaceAll("&gt;", ">").replaceAll("&amp;", "&").split(" "));
  const bytes = Buffer.from(html); // searched faster than a text
  const known = new Map();
  const has = (text) => known.get(text) ?? known.set(text, bytes.includes(text)).get(text);
  const finds = (selector) => selector.classes.every((name) => classes.has(name)) && selector.others.every(has);
  const used = new Set(variables(html));
  const isUsed = ({ name }) => !name || used.has(name);
  const use = ({ uses }) => uses.forEach((name) => used.add(name));

  const choose = (some) =>
    some.flatMap((rule) => {
      if (rule.inner) return { head: rule.head, inner: choose(rule.inner) };
      if (rule.selectors && !rule.selectors.some(finds)) return [];
      if (rule.uses) use(rule);
      return rule;
    });
  const follow = (some) => some.forEach(({ inner, declared }) => (inner ? follow(inner) : declared?.filter(isUsed).forEach(use)));
  const write = ({ head, inner, declared, variable, text }) => {
    if (variable) return used.has(variable) ? text : "";
    const body = inner ? inner.map(write).join("") : declared?.filter(isUsed).map(({ line }) => line).join(";");
    // A layer counts where it is first named, also an empty one.
    return body === undefined ? text : body || head.startsWith("@layer") ? `${head}{${body}}` : "";
  };
  const chosen = choose(rules);
  for (let before = -1; before < used.size; follow(chosen)) before = used.size;
  return chosen.map(write).join("");
};
