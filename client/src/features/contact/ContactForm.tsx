import { type FormEvent, useState } from "react";
import * as t from "@/texts/contact";
import { Button, Field, Textarea, Trans } from "@/ui";

/** The contact form. It sends nothing, and says so with the address to write to. */
export function ContactForm({ email }: { email: string }) {
  const [pressed, setPressed] = useState(false);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setPressed(true);
  };
  return (
    <form
      noValidate
      onSubmit={onSubmit}
      className="grid gap-5 rounded-lg border border-line bg-surface p-5 shadow-card sm:p-8"
    >
      <Field label={t.name} name="name" autoComplete="name" />
      <Field label={t.email} name="email" type="email" autoComplete="email" />
      <Textarea label={t.message} name="message" rows={5} />
      <Button type="submit" className="justify-self-start">
        {t.send}
      </Button>
      <p
        role="status"
        className={pressed ? "rounded-sm bg-accent-soft px-3 py-2 text-accent" : "text-muted text-sm"}
      >
        {email ? (
          <Trans
            text={t.sendsNothing}
            values={{
              address: (
                <a href={`mailto:${email}`} className="font-medium underline">
                  {email}
                </a>
              ),
            }}
          />
        ) : (
          t.sendsNothingAtAll
        )}
      </p>
    </form>
  );
}
