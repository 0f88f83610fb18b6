/** An email address that wraps before its @. */
export function Email({ of }: { of: string }) {
  const at = of.lastIndexOf("@");
  return (
    <bdi className="wrap-anywhere text-sm">
      {of.slice(0, Math.max(0, at))}
      <wbr />
      {of.slice(Math.max(0, at))}
    </bdi>
  );
}
