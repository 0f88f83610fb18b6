import type { ReactNode } from "react";
import { useConfigQuery } from "@/api/config";
import * as t from "@/texts/auth";
import { toBook } from "@/texts/promise";
import { HeroRings, LiveDot } from "@/ui";
import type { Elements } from "@/ui/Elements";

interface Props {
  title: string;
  /** Why the user has to log in; null for no reason. "" reserves the line until the reason is known. */
  reason?: string | null;
  children: Elements;
  /** The line under the form, e.g. a link to the other form. */
  foot?: ReactNode;
}

/** The card of the sign-in, sign-up and linking forms; on a wide screen it has a welcome panel beside it. */
export function AuthCard({ title, reason = null, children, foot }: Props) {
  return (
    <div className="screen-width grid items-start gap-gap py-8 sm:py-12 lg:grid-cols-[1.1fr_1fr]">
      <Welcome />
      <section className="mx-auto w-full max-w-lg">
        <div className="grid gap-6 rounded-lg border border-line bg-surface p-5 shadow-card sm:p-9">
          <div className="grid gap-2">
            <h1 className="font-extrabold text-3xl">{title}</h1>
            {reason !== null && (
              // On a telephone a brand's name, which may load late, fits on the one line in the smaller size.
              <p className="min-h-7 text-muted [overflow-wrap:anywhere] sm:text-lg">{reason}</p>
            )}
          </div>
          {children}
        </div>
        {foot && <p className="mt-5 text-center text-muted">{foot}</p>}
      </section>
    </div>
  );
}

/** What the market is, and what it promises a buyer. */
function Welcome() {
  const { data: promises } = useConfigQuery();
  return (
    <div className="relative grid min-h-144 content-end gap-4 overflow-hidden rounded-xl bg-deep p-12 text-on-deep max-lg:hidden">
      <HeroRings />
      <p className="relative flex items-center gap-2.5 font-semibold text-signal text-sm">
        <LiveDot />
        <span>{t.welcomeLive}</span>
      </p>
      <p className="relative max-w-md text-balance font-extrabold text-3xl">{t.welcome}</p>
      <p className="relative min-h-[3lh] max-w-md text-lg text-on-deep-muted">
        {promises && toBook(promises)}
      </p>
    </div>
  );
}

/**
 * The error message under the form. The height of one line is always reserved, because the response may arrive late and
 * nothing below may move.
 */
export function FormError({ message }: { message: string | null }) {
  return (
    <div className="-my-2 min-h-11">
      {message && (
        <p role="alert" className="rounded-sm bg-danger-soft px-3 py-2 text-danger">
          {message}
        </p>
      )}
    </div>
  );
}
