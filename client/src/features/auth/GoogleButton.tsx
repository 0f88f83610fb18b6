import { useConfigQuery } from "@/api/config";
import * as t from "@/texts/auth";
import { buttonClass } from "@/ui";

interface Props {
  /** The path of this site to come back to. */
  returnTo: string;
  /** Asked before the sign-in starts. */
  mayBeginSession: () => boolean;
}

/** "Continue with Google", where the server offers it. */
export function GoogleButton({ returnTo, mayBeginSession }: Props) {
  const { data } = useConfigQuery();
  if (!data?.google) return null;
  return (
    <div className="grid gap-4">
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t.or}
      </p>
      <a
        href={`/identity/google?returnTo=${encodeURIComponent(returnTo)}`}
        className={buttonClass({ variant: "secondary" })}
        onClick={(event) => {
          if (!mayBeginSession()) event.preventDefault();
        }}
      >
        <GoogleMark />
        <span>{t.google}</span>
      </a>
    </div>
  );
}

function GoogleMark() {
  return (
    <svg
      viewBox="0 0 24 24"
      className="size-5"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      aria-hidden="true"
    >
      <path d="M20.5 12H12m8.5 0a8.5 8.5 0 1 1-2.6-6.1" />
    </svg>
  );
}
