/** An e-mail address, which breaks before its @ rather than before its last letters. */
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
