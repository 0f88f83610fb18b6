/** A drawing of a phone, loaded only when fewer than three phones are advertised. */
export default function PhoneIllustration() {
  return (
    <div aria-hidden="true" className="grid aspect-2/1 place-items-center sm:aspect-5/3">
      <svg viewBox="0 0 120 230" className="h-full" role="presentation">
        <rect x="3" y="3" width="114" height="224" rx="24" className="fill-on-deep" />
        <rect x="11" y="14" width="98" height="202" rx="15" className="fill-deep" />
        <circle cx="60" cy="88" r="24" className="fill-signal" />
        <path
          d="M50 88h20m-8-9 9 9-9 9"
          className="fill-none stroke-3 stroke-on-signal"
          strokeLinecap="round"
        />
        <rect x="28" y="132" width="64" height="8" rx="4" className="fill-on-deep" />
        <rect x="40" y="148" width="40" height="6" rx="3" className="fill-on-deep-muted" />
      </svg>
    </div>
  );
}
