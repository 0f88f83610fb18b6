import { expect, test } from "vitest";
import html from "@/../index.html?raw";
import { renderApp } from "@/testing/app";

/** The parts of the navigation bar that index.html contains too. */
function partsOf(bar: Element | null) {
  const logo = bar?.querySelector("a");
  return {
    bar: bar?.className,
    row: bar?.firstElementChild?.className,
    link: [logo?.className, logo?.getAttribute("href")],
    logo: logo?.innerHTML.replace(/\s+/g, " ").replace(/> | </g, (match) => match.trim()),
  };
}

test("the navigation bar in index.html is equal to the one that React renders in its place", async () => {
  const page = new DOMParser().parseFromString(html, "text/html");
  renderApp("/contact");
  expect(partsOf(page.querySelector("#root > header"))).toEqual(partsOf(document.querySelector("header")));
});
