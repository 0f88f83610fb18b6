import type { Photograph } from "../pages";
import type { Market } from "./market";

/** Addresses of this many different photographs of the demo. */
export async function photographUrls(market: Market, count: number): Promise<string[]> {
  const list = await fetch(`${market.url}/products/advertised`);
  const urls = [...new Set(((await list.json()) as { img: string }[]).map(({ img }) => img))];
  if (urls.length < count) throw new Error(`the demo advertises ${urls.length} different phones`);
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

/** A real photograph of a phone, fetched from the demo's own advertised ones. */
export async function photograph(market: Market): Promise<Photograph> {
  const list = await fetch(`${market.url}/products/advertised`);
  const [product] = (await list.json()) as { img: string }[];
  if (!product) throw new Error("the demo advertises phones");
  const answer = await fetch(new URL(product.img, market.url));
  const mimeType = answer.headers.get("content-type") ?? "image/jpeg";
  return { name: "phone.jpg", mimeType, buffer: Buffer.from(await answer.arrayBuffer()) };
}
