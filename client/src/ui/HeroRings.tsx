/** Decorative rings behind the content of a dark panel. One expands twice, unless the user prefers reduced motion. */
export function HeroRings() {
  return (
    <div
      aria-hidden="true"
      className="absolute end-0 top-1/2 aspect-square w-176 translate-x-1/4 -translate-y-1/2 rtl:-translate-x-1/4"
    >
      <span className="absolute inset-0 rounded-full border border-deep-line opacity-60" />
      <span className="absolute inset-1/7 rounded-full border border-deep-line" />
      <span className="absolute inset-2/7 rounded-full border border-deep-line" />
      <span className="absolute inset-0 animate-ring rounded-full border-2 border-signal opacity-0" />
    </div>
  );
}
