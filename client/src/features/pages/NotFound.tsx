import { Link } from "react-router-dom";
import { buttonClass } from "@/ui";

/** Any path that is no screen. */
export default function NotFound() {
  return (
    <section className="mx-auto grid max-w-xl justify-items-center gap-4 px-4 py-28 text-center">
      <h1 className="font-extrabold text-3xl">The route you are searching is not available!!!</h1>
      <p className="text-lg text-muted">Please try for a valid route!!!</p>
      <Link to="/" className={buttonClass({ variant: "secondary" })}>
        Go to Home
      </Link>
    </section>
  );
}
