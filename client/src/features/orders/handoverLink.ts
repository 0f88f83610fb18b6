/** The link in the QR code: the order's page, for the other side, with the code. A browser sends no hash to a server. */
export const handoverLink = (origin: string, order: string, code: string) =>
  `${origin}/dashboard/order/${order}#code=${code}`;

/** The code in the hash of such a link; "" for another hash. */
export function codeIn(hash: string): string {
  const code = new URLSearchParams(hash.slice(1)).get("code") ?? "";
  return /^\d{6}$/.test(code) ? code : "";
}
