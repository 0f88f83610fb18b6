import { type FormEvent, useState } from "react";
import { Button, Field, Textarea } from "@/ui";

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
      <Field label="Name" name="name" autoComplete="name" />
      <Field label="Email" name="email" type="email" autoComplete="email" />
      <Textarea label="Message" name="message" rows={5} />
      <Button type="submit" className="justify-self-start">
        Send
      </Button>
      <p
        role="status"
        className={pressed ? "rounded-sm bg-accent-soft px-3 py-2 text-accent" : "text-muted text-sm"}
      >
        This form does not send anything.{" "}
        {email ? (
          <>
            Please write to{" "}
            <a href={`mailto:${email}`} className="font-medium underline">
              {email}
            </a>
            .
          </>
        ) : (
          "Please use the details on this page."
        )}
      </p>
    </form>
  );
}
