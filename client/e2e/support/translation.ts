import type { BrowserContext } from "@playwright/test";

/**
 * Changes all pages of the context as Chrome does when it translates a page: each text node is replaced by two `<font>`
 * elements, at first and after each change. The words stay the same, so that tests find them.
 */
export async function translatePages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // Chrome also translates options, but Playwright does not find an option by text in an element.
    const UNTRANSLATED = "title, script, style, noscript, textarea, option, [translate=no], font";
    const aFont = () => {
      const font = document.createElement("font");
      font.style.verticalAlign = "inherit";
      return font;
    };
    const translateText = (text: Text) => {
      if (text.data.trim() === "" || !text.isConnected || text.parentElement?.closest(UNTRANSLATED)) return;
      const [outer, inner] = [aFont(), aFont()];
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    };
    const translate = (node: Node) => {
      if (node instanceof Text) return translateText(node);
      const texts: Text[] = [];
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) translateText(text);
    };
    const observer = new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === "characterData") translate(target);
        else addedNodes.forEach(translate);
      }
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  });
}
