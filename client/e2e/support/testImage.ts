import type { Photograph } from "../pages";
import type { Market } from "./market";

/** Addresses of this many different photographs: the pictures of the brands. The demo's phones are mostly drawings. */
export async function photographUrls(market: Market, count: number): Promise<string[]> {
  const answer = await fetch(`${market.url}/allCategories`);
  const urls = [...new Set(((await answer.json()) as { img: string }[]).map(({ img }) => img))];
  if (urls.length < count) throw new Error(`the demo has photographs of ${urls.length} brands`);
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
  if (!picture) throw new Error("the demo has a photograph");
  return { ...picture, name: "phone.jpg" };
}
