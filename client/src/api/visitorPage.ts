const VISITOR_MARK = 'meta[name="session"][content="none"]';

/** Whether the request for this page had no session cookie; the server then adds the mark to the HTML. */
export function isVisitorPage(): boolean {
  return globalThis.document?.querySelector(VISITOR_MARK) != null;
}

/** Removes the mark. It is true only when the page is loaded: somebody may sign in later. */
export function clearVisitorMark(): void {
  document.querySelector(VISITOR_MARK)?.remove();
}
