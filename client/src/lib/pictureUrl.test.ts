import { afterEach, expect, it } from "vitest";
import { pictureUrl, setPublicUrl } from "./pictureUrl";

afterEach(() => setPublicUrl(""));

it.each([
  ["https://phones.example/images/a.jpg", "/images/a.jpg"],
  ["/images/a.jpg", "/images/a.jpg"],
  [
    "https://phones.example/a-160.webp 160w, https://phones.example/a.jpg 1600w",
    "/a-160.webp 160w, /a.jpg 1600w",
  ],
  ["https://phones.example.other/a.jpg", "https://phones.example.other/a.jpg"],
  ["https://other.example/a.jpg", "https://other.example/a.jpg"],
])("a page loads the server's own pictures from where it was reached: %s", (url, want) => {
  setPublicUrl("https://phones.example");
  expect(pictureUrl(url)).toBe(want);
});

it("a page that does not know PUBLIC_URL uses the URL as it is", () => {
  expect(pictureUrl("https://phones.example/a.jpg")).toBe("https://phones.example/a.jpg");
});
