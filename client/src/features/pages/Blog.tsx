import * as t from "@/texts/pages";

/** The blog; it has no articles yet. */
export default function Blog() {
  return (
    <section className="mx-auto grid max-w-xl justify-items-center gap-3 px-4 py-28 text-center">
      <p className="font-semibold text-accent">{t.blog}</p>
      <h1 className="font-extrabold text-4xl">{t.comingSoon}</h1>
    </section>
  );
}
