/**
 * A page that the browser translates. A translator puts <font> in the place of texts or around them, and React goes on
 * writing into, removing and looking for the texts that it made.
 */
const standIns = new WeakMap();

// What React means by a text of `parent`: the text itself, or what a translator put there.
const found = (parent, node) => {
  if (!node || node.parentNode === parent) return node;
  let shown = node.isConnected ? node : standIns.get(node);
  while (shown && shown.parentNode !== parent) shown = shown.parentNode;
  return shown ?? null;
};

// A text that is written comes back, in the place of its translation; a translator then sees it as new.
const replaced = (text, font) => {
  standIns.set(text, font);
  Object.defineProperty(text, "nodeValue", {
    configurable: true,
    set(value) {
      delete text.nodeValue;
      text.data = value;
      font.replaceWith(text);
    },
  });
};

const watch = (records) => {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
    for (const text of removedNodes) {
      if (text.nodeType !== Node.TEXT_NODE || text.isConnected) continue;
      const font = [addedNodes[0], previousSibling, nextSibling].find((node) => node?.nodeName === "FONT" && node.isConnected);
      if (font) replaced(text, font);
    }
  }
};

if (typeof document !== "undefined") {
  new MutationObserver(watch).observe(document, { childList: true, subtree: true });
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function (node) {
    const shown = found(this, node);
    return shown ? removeChild.call(this, shown) : node;
  };
  Node.prototype.insertBefore = function (node, before) {
    return insertBefore.call(this, node, found(this, before));
  };
}
