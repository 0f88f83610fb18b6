import { Link } from "react-router-dom";
import { useMe } from "@/api/me";
import { buttonClass } from "@/ui";

/** The first thing seen: what this is and the way in. */
export function Hero() {
  const me = useMe();
  return (
    <section className="mx-auto grid max-w-7xl items-center gap-10 px-4 pt-12 pb-16 md:grid-cols-[1.15fr_1fr] md:pt-20">
      <div className="grid justify-items-start gap-6">
        <h1 className="font-extrabold text-4xl sm:text-6xl">
          Your used mobile phone still has a call to make
        </h1>
        <p className="max-w-prose text-lg text-muted">
          Resell it to somebody who will use it, or find the one you need for less. The list is live: what you
          see is still free, and the moment a phone is booked you see that too.
        </p>
        <div className="flex flex-wrap gap-3">
          <Link to={me ? "/categories" : "/signUp"} className={buttonClass()}>
            Get Started
          </Link>
          <Link to="/categories" className={buttonClass({ variant: "secondary" })}>
            Browse phones
          </Link>
        </div>
      </div>
      <RingingPhone />
    </section>
  );
}

/** A phone whose ring goes outwards; still where motion is not wanted. */
function RingingPhone() {
  return (
    <div
      aria-hidden="true"
      className="relative mx-auto grid aspect-square w-full max-w-sm place-items-center"
    >
      <span className="absolute inset-0 rounded-full border-2 border-accent opacity-15" />
      <span className="absolute inset-[12%] rounded-full border-2 border-accent opacity-30" />
      <span className="absolute inset-[24%] rounded-full border-2 border-accent opacity-50" />
      <span className="absolute inset-0 animate-ring rounded-full border-2 border-accent motion-reduce:hidden" />
      <svg viewBox="0 0 120 230" className="relative h-3/5 drop-shadow-xl" role="presentation">
        <rect x="3" y="3" width="114" height="224" rx="24" className="fill-brand" />
        <rect x="11" y="14" width="98" height="202" rx="15" className="fill-surface" />
        <rect x="46" y="21" width="28" height="6" rx="3" className="fill-brand" />
        <circle cx="60" cy="88" r="24" className="fill-accent-soft" />
        <path d="M50 88h20m-8-9 9 9-9 9" className="fill-none stroke-3 stroke-accent" strokeLinecap="round" />
        <rect x="28" y="132" width="64" height="8" rx="4" className="fill-ink" />
        <rect x="40" y="148" width="40" height="6" rx="3" className="fill-line" />
        <rect x="24" y="178" width="72" height="22" rx="11" className="fill-brand" />
      </svg>
    </div>
  );
}
