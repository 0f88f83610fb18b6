import type { ReactNode } from "react";
import type { CaseDetail } from "@/api/types";
import * as t from "@/texts/cases";
import { longDay } from "@/texts/dates";
import { dollars } from "@/texts/money";
import { Picture } from "@/ui";
import { Quotes } from "../Quotes";
import type { ShownCase } from "./Case";

/** What was reported, as it was then. */
export function ReportedCopy({ of: { kind, target, copy } }: { of: ShownCase }) {
  const isDeleted = !copy && kind !== "picture";
  return (
    <section aria-labelledby="reported" className="grid gap-3">
      <div>
        <h3 id="reported">{t.reported}</h3>
        <p className="text-muted text-sm">{isDeleted ? t.noCopy : t.asThen}</p>
      </div>
      {target.img && <Pictures name={target.name} addresses={[target.img, ...(copy?.photos ?? [])]} />}
      {copy && <Facts kind={kind} copy={copy} />}
      {copy?.quotes && (
        <div className="grid gap-2">
          <h4 className="font-semibold">{t.quotes}</h4>
          <Quotes of={copy.quotes} />
        </div>
      )}
    </section>
  );
}

function Pictures({ name, addresses }: { name: string; addresses: string[] }) {
  return (
    <ul aria-label={t.pictureOf(name)} className="flex flex-wrap gap-3">
      {addresses.map((address, index) => (
        <li key={address}>
          <a href={address} target="_blank" rel="noreferrer" className="block">
            <Picture
              src={address}
              alt={t.pictureAlt(index + 1)}
              className="w-32 rounded-sm border border-line"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Facts({ kind, copy }: { kind: CaseDetail["kind"]; copy: NonNullable<CaseDetail["copy"]> }) {
  return (
    <dl className="grid gap-3 sm:grid-cols-3">
      <Fact term={t.facts.brand}>{copy.brand}</Fact>
      <Fact term={t.facts.price}>{copy.resalePrice && dollars(copy.resalePrice)}</Fact>
      <Fact term={t.facts.condition}>{copy.condition}</Fact>
      <Fact term={t.facts.storage}>{copy.storage && t.gigabytes(copy.storage)}</Fact>
      <Fact term={t.facts.joined}>{copy.since && longDay(copy.since)}</Fact>
      <Fact term={t.facts.seller}>{kind === "product" && (copy.verified ? t.verified : t.notVerified)}</Fact>
      <Fact term={t.description} isWide>
        {copy.description}
      </Fact>
    </dl>
  );
}

/** Nothing for a fact that is not known. */
function Fact({ term, isWide, children }: { term: string; isWide?: boolean; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className={`grid content-start gap-0.5 wrap-anywhere ${isWide ? "sm:col-span-3" : ""}`}>
      <dt className="text-muted text-sm">{term}</dt>
      <dd className="whitespace-pre-line">{children}</dd>
    </div>
  );
}
