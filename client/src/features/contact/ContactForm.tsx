import { type FormEvent, useState } from "react";
import * as t from "@/texts/contact";
import { Button, cx, Field, Textarea, Trans } from "@/ui";

/** The address that opens the reader's mail program with what they typed. */
function mailtoUrl(address: string, form: FormData): string {
  const [name, email, message] = ["name", "email", "message"].map((key) =>
    String(form.get(key) ?? "").trim(),
  );
  const query = new URLSearchParams({
    subject: t.mailSubject(name ?? ""),
    body: [message, [name, email].filter(Boolean).join(", ")].filter(Boolean).join("\n\n"),
  });
  // Mail programs do not read "+" as a space.
  return `mailto:${address}?${query.toString().replaceAll("+", "%20")}`;
}

/** The contact form. Nothing is sent to the server: it opens the reader's own mail program with the message. */
export function ContactForm({ email }: { email: string }) {
  const [pressed, setPressed] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setPressed(true);
    if (email) window.open(mailtoUrl(email, new FormData(event.currentTarget)), "_self");
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
      {/* Above the button, where it is in sight after the press. */}
      <p
        role="status"
        className={cx(
          "rounded-sm px-3 py-2 text-sm",
          pressed ? "bg-accent-soft text-accent" : "bg-sunk text-muted",
        )}
      >
        {email ? (
          <Trans
            text={pressed ? t.mailOpened : t.opensMail}
            values={{
              address: (
                <a href={`mailto:${email}`} className="font-medium underline">
                  {email}
                </a>
              ),
            }}
          />
        ) : (
          t.sendsNothing
        )}
      </p>
      <Button type="submit" className="justify-self-start">
        {t.send}
      </Button>
    </form>
  );
}
