import type { Photograph } from "../pages";
import type { Market } from "./market";

/** The URLs of different photographs: those of the demo's old phones. The recent phones have drawings. */
export async function photographUrls(market: Market, count: number): Promise<string[]> {
  const response = await fetch(`${market.url}/products/search?maxPrice=100&limit=200`);
  const images = ((await response.json()) as { img: string }[]).map(({ img }) => img);
  const urls = [...new Set(images.filter((url) => url.endsWith(".jpg")))];
  if (urls.length < count) throw new Error(`the demo has only ${urls.length} photos of cheap phones`);
  return urls.slice(0, count);
}

/** Different photographs, as files for a file input. */
export async function photographs(market: Market, count: number): Promise<Photograph[]> {
  const urls = await photographUrls(market, count);
  return Promise.all(
    urls.map(async (url, index) => {
      // Pictures have the address of PUBLIC_URL, which a node of the test may not have.
      const response = await fetch(new URL(new URL(url, market.url).pathname, market.url));
      const buffer = Buffer.from(await response.arrayBuffer());
      return {
        name: `${index + 1}.jpg`,
        mimeType: response.headers.get("content-type") ?? "image/jpeg",
        buffer,
      };
    }),
  );
}

/** A real photograph of a phone. */
export async function photograph(market: Market): Promise<Photograph> {
  const [picture] = await photographs(market, 1);
  if (!picture) throw new Error("the demo has a photo");
  return { ...picture, name: "phone.jpg" };
}
