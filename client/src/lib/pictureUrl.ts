let publicUrl = "";

/** Sets the origin with which the server names its own pictures; "" if it is not known. */
export function setPublicUrl(origin: string): void {
  publicUrl = origin;
}

/**
 * The URL, or a srcset, with which this page loads a picture. The server names its own pictures by PUBLIC_URL; a page
 * that was reached by another address, such as that of one node, loads them from there.
 */
export function pictureUrl(url: string): string {
  return publicUrl ? url.replaceAll(`${publicUrl}/`, "/") : url;
}
