const NAME = "cookie-check";

function write(attributes: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS and an answer that has to be waited for
  document.cookie = `${NAME}=1; Path=/; SameSite=Lax${attributes}`;
}

/** Whether the browser keeps cookies of this site. Without them there is no session: a login would not last one request. */
export function keepsCookies(): boolean {
  if (!navigator.cookieEnabled) return false;
  try {
    write("");
    const isKept = document.cookie.includes(`${NAME}=1`);
    write("; Max-Age=0");
    return isKept;
  } catch {
    return false;
  }
}
