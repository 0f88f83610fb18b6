import type { Photograph } from "../pages";
import type { Market } from "./market";

/** A real photograph of a phone, fetched from the demo's own advertised ones. */
export async function photograph(market: Market): Promise<Photograph> {
  const list = await fetch(`${market.url}/products/advertised`);
  const [product] = (await list.json()) as { img: string }[];
  if (!product) throw new Error("the demo advertises phones");
  const answer = await fetch(new URL(product.img, market.url));
  const mimeType = answer.headers.get("content-type") ?? "image/jpeg";
  return { name: "phone.jpg", mimeType, buffer: Buffer.from(await answer.arrayBuffer()) };
}
