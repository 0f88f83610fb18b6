/** An email address that wraps before its @. */
export function Email({ address }: { address: string }) {
  const at = address.lastIndexOf("@");
  return (
    <bdi className="wrap-anywhere text-sm">
      <span>{address.slice(0, Math.max(0, at))}</span>
      <wbr />
      <span>{address.slice(Math.max(0, at))}</span>
    </bdi>
  );
}
