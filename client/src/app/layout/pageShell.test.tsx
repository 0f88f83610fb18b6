import { expect, test } from "vitest";
import html from "@/../index.html?raw";
import { renderApp } from "@/testing/app";

/** The parts of the bar that the page has before the scripts have loaded. */
function partsOf(bar: Element | null) {
  const logo = bar?.querySelector("a");
  return {
    bar: bar?.className,
    row: bar?.firstElementChild?.className,
    link: [logo?.className, logo?.getAttribute("href")],
    logo: logo?.innerHTML.replace(/\s+/g, " ").replace(/> | </g, (gap) => gap.trim()),
  };
}

test("the bar in index.html is the one that React renders in its place", async () => {
  const page = new DOMParser().parseFromString(html, "text/html");
  renderApp("/contact");
  expect(partsOf(page.querySelector("#root > header"))).toEqual(partsOf(document.querySelector("header")));
});
