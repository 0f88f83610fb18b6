import { createHmac } from "node:crypto";
import type { Person } from "./person";

/** The code of an authenticator app for a secret, by RFC 6238; `steps` of 30 seconds from now. */
export function appCode(secret: string, steps = 0): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac("sha1", key).update(step).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Enables a user's two-step login. */
export async function switchSecondFactorOn(person: Person): Promise<void> {
  const { secret } = await person.request<{ secret: string }>("post", "/identity/second-factor/start", {
    password: person.password,
  });
  await person.request("post", "/identity/second-factor/confirm", { code: appCode(secret) });
}
