import { encode } from "uqr";

interface Props {
  text: string;
  /** What it is, for screen readers. */
  label: string;
}

/** A QR code with the margin that scanners need, dark on light in both themes. */
export function QrCode({ text, label }: Props) {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-52 rounded-md border border-line bg-photo text-on-photo"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
