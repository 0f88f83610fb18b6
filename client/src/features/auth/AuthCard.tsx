import type { ReactNode } from "react";

interface Props {
  title: string;
  children: ReactNode;
  /** The line under the form, e.g. the way to the other form. */
  foot?: ReactNode;
}

/** The frame of the sign-in, sign-up and linking forms. */
export function AuthCard({ title, children, foot }: Props) {
  return (
    <section className="mx-auto w-full max-w-md px-4 py-12 sm:py-20">
      <div className="grid gap-6 rounded-lg border border-line bg-surface p-5 shadow-card sm:p-9">
        <h1 className="font-extrabold text-3xl">{title}</h1>
        {children}
      </div>
      {foot && <p className="mt-5 text-center text-muted">{foot}</p>}
    </section>
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
