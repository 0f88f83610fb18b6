import { Link } from "react-router-dom";
import * as t from "@/texts/pages";
import { buttonClass } from "@/ui";

/** The screen of an unknown path. */
export default function NotFound() {
  return (
    <section className="mx-auto grid max-w-xl justify-items-center gap-4 px-4 py-28 text-center">
      <h1 className="font-extrabold text-3xl">{t.noSuchRoute}</h1>
      <p className="text-lg text-muted">{t.tryValidRoute}</p>
      <Link to="/" className={buttonClass({ variant: "secondary" })}>
        {t.goHome}
      </Link>
    </section>
  );
}
