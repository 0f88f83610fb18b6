/** In the place of a button, as high: what is no longer there to be removed. */
export function Removed({ children }: { children?: string }) {
  return <span className="min-h-9 content-center text-muted text-sm">{children}</span>;
}
