import type { Photograph } from "../pages";
import type { Market } from "./market";

/** Addresses of this many different photographs: those of the demo's old phones. The recent ones are drawings. */
export async function photographUrls(market: Market, count: number): Promise<string[]> {
  const answer = await fetch(`${market.url}/products/search?maxPrice=100&limit=200`);
  const images = ((await answer.json()) as { img: string }[]).map(({ img }) => img);
  const urls = [...new Set(images.filter((url) => url.endsWith(".jpg")))];
  if (urls.length < count) throw new Error(`the demo has only ${urls.length} photos of cheap phones`);
  return urls.slice(0, count);
}

/** This many different photographs, as files to choose. */
export async function photographs(market: Market, count: number): Promise<Photograph[]> {
  const urls = await photographUrls(market, count);
  return Promise.all(
    urls.map(async (url, place) => {
      const answer = await fetch(new URL(url, market.url));
      const buffer = Buffer.from(await answer.arrayBuffer());
      return {
        name: `${place + 1}.jpg`,
        mimeType: answer.headers.get("content-type") ?? "image/jpeg",
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
