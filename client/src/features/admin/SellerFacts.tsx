import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { errorMessage } from "@/api/errors";
import type { Product, User } from "@/api/types";
import { telHref } from "@/lib/telHref";
import * as t from "@/texts/admin";
import { dollars } from "@/texts/money";
import { Email, ErrorState, Loading, Skeleton } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { useSellerPhonesQuery } from "./endpoints";

const LINK = "text-brand underline underline-offset-4 wrap-anywhere";

interface Props {
  seller: User;
  /** The seller as the admin saw them first; what has changed since is shown beside it. */
  before: User;
}

/** What an admin checks before they verify a seller: the name, the contact and the newest phones. */
export function SellerFacts({ seller, before }: Props) {
  const { data, error, refetch } = useSellerPhonesQuery(seller.email);
  const phones = data?.phones ?? [];
  return (
    <>
      <dl className="mb-5 grid gap-3 sm:grid-cols-2">
        <Fact term={t.name}>
          <Change before={before.name} now={seller.name} as={(name) => <bdi>{name}</bdi>} />
        </Fact>
        <Fact term={t.email}>
          <Change before={before.email} now={seller.email} as={(address) => <Email address={address} />} />
        </Fact>
        <Fact term={t.phoneNumber}>
          {distinct(phones, "phone").map((phone) => (
            <a key={phone} href={telHref(phone)} className={LINK}>
              {phone}
            </a>
          ))}
        </Fact>
        <Fact term={t.location}>
          {distinct(phones, "location").map((location) => (
            <span key={location}>{location}</span>
          ))}
        </Fact>
      </dl>
      <div className="min-h-40">
        {data && <Phones {...data} />}
        {error && <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />}
        {!data && !error && (
          <Loading label={t.loadingPhones} onRetry={() => void refetch()}>
            <Skeleton className="h-40" />
          </Loading>
        )}
      </div>
    </>
  );
}

/** The values of a field, each once. */
const distinct = (phones: Product[], field: "phone" | "location") => [
  ...new Set(phones.map((phone) => phone[field] ?? "").filter((value) => value !== "")),
];

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5 [overflow-wrap:anywhere]">
      <dt className="text-muted text-sm">{term}</dt>
      <dd className="grid min-h-[1lh] justify-items-start font-semibold">{children}</dd>
    </div>
  );
}

interface ChangeProps {
  before: string;
  now: string;
  /** Shows one of the two. */
  as: (value: string) => Elements;
}

/** A value, with the former one if it has changed. */
function Change({ before, now, as }: ChangeProps) {
  if (before === now) return as(now);
  return (
    <span>
      <span className="sr-only">{t.before}</span>
      <s className="me-2 font-normal text-muted">{as(before)}</s>
      <span className="sr-only">{t.now}</span>
      <span>{as(now)}</span>
    </span>
  );
}

/** The newest phones, with links to their pages, and the number of the others. */
function Phones({ phones, total }: { phones: Product[]; total: number }) {
  if (total === 0) return <p className="text-muted">{t.noPhones}</p>;
  return (
    <>
      <p className="text-muted text-sm">{t.phonesCounted(total)}</p>
      <ul className="grid gap-1">
        {phones.map(({ _id, name, resalePrice }) => (
          <li key={_id} className="flex justify-between gap-4">
            <Link to={`/phone/${_id}`} className={LINK}>
              {name}
            </Link>
            <span className="tabular-nums">{dollars(resalePrice)}</span>
          </li>
        ))}
      </ul>
      {total > phones.length && <p className="text-muted text-sm">{t.morePhones(total - phones.length)}</p>}
    </>
  );
}
