/** An email address that wraps before its @. */
export function Email({ address }: { address: string }) {
  const at = address.lastIndexOf("@");
  return (
    <bdi className="wrap-anywhere text-sm">
      {address.slice(0, Math.max(0, at))}
      <wbr />
      {address.slice(Math.max(0, at))}
    </bdi>
  );
}
