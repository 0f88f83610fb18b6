import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { onPublic, onSession, renderApp } from "@/testing/app";
import { startServer } from "@/testing/server";
import { LANG } from "@/texts/language";

startServer();
beforeEach(() => {
  onPublic();
  onSession(null);
});

/** What is shown and read out: texts, names, tooltips, hints in fields. */
function said(of: Element): string[] {
  const words: string[] = [];
  for (const element of of.querySelectorAll("*")) {
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) words.push(node.textContent ?? "");
    }
    for (const name of ["aria-label", "title", "alt", "placeholder"])
      words.push(element.getAttribute(name) ?? "");
  }
  return words;
}

/** What comes from the settings and is the same in every language. */
const isData = (words: string) => /@|Dhaka/.test(words);

test.each(["/contact", "/login", "/signUp", "/blog", "/no/such/screen", "/"])(
  "%s has no word of English left when the texts are of another language",
  async (path) => {
    expect(LANG).toBe("ar");
    const { container } = renderApp(path);
    expect(await screen.findByRole("heading", { level: 1 })).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText(/Ｌｏｇｉｎ/, { selector: "nav a" })).toBeInTheDocument());
    expect(said(container).filter((words) => /[A-Za-z]/.test(words) && !isData(words))).toEqual([]);
  },
);

test("a link stands where the other language has it in its sentence", async () => {
  renderApp("/contact");
  const [, inForm] = await screen.findAllByRole("link", { name: "hello@example.com" });
  expect(inForm?.parentElement).toHaveTextContent(/^\.hello@example\.comＴｈｉｓ ｆｏｒｍ/);
});
