import type { ReactNode } from "react";
import { useConfigQuery } from "@/api/config";
import * as t from "@/texts/auth";
import { LiveDot, RingField } from "@/ui";

interface Props {
  title: string;
  children: ReactNode;
  /** The line under the form, e.g. the way to the other form. */
  foot?: ReactNode;
}

/** The frame of the sign-in, sign-up and linking forms; where there is room, beside what they lead to. */
export function AuthCard({ title, children, foot }: Props) {
  return (
    <div className="screen-width grid items-start gap-gap py-8 sm:py-12 lg:grid-cols-[1.1fr_1fr]">
      <Welcome />
      <section className="mx-auto w-full max-w-lg">
        <div className="grid gap-6 rounded-lg border border-line bg-surface p-5 shadow-card sm:p-9">
          <h1 className="font-extrabold text-3xl">{title}</h1>
          {children}
        </div>
        {foot && <Foot>{foot}</Foot>}
      </section>
    </div>
  );
}

/** Comes once the settings have said how long the form is, so that it is not pushed down. */
function Foot({ children }: { children: ReactNode }) {
  const { isLoading } = useConfigQuery();
  return isLoading ? null : <p className="mt-5 text-center text-muted">{children}</p>;
}

function Welcome() {
  return (
    <div className="relative grid min-h-144 content-end gap-4 overflow-hidden rounded-xl bg-deep p-12 text-on-deep max-lg:hidden">
      <RingField />
      <p className="relative flex items-center gap-2.5 font-semibold text-signal text-sm">
        <LiveDot />
        {t.welcomeLive}
      </p>
      <p className="relative max-w-md text-balance font-extrabold text-3xl">{t.welcome}</p>
      <p className="relative max-w-md text-lg text-on-deep-muted">{t.welcomeLead}</p>
    </div>
  );
}

/** What the identity provider said, under the form. */
export function FormError({ message }: { message: string | null }) {
  return (
    message && (
      <p role="alert" className="rounded-sm bg-danger-soft px-3 py-2 text-danger">
        {message}
      </p>
    )
  );
}
