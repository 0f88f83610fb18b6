const MARK = 'meta[name="session"][content="none"]';

/** Whether the server has told this page that the browser brought no session cookie. */
export function isVisitorPage(): boolean {
  return globalThis.document?.querySelector(MARK) != null;
}

/** It holds for the load of the page only: once somebody has signed in, the page says nothing any more. */
export function clearVisitorMark(): void {
  document.querySelector(MARK)?.remove();
}
