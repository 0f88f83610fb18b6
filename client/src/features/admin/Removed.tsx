/** Replaces the button of something that was removed, with the same height. */
export function Removed({ children }: { children?: string }) {
  return <span className="min-h-9 content-center text-muted text-sm">{children}</span>;
}
