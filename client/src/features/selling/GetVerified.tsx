import { useState } from "react";
import { Link } from "react-router-dom";
import { useConfigQuery } from "@/api/config";
import { useRole } from "@/api/role";
import { telHref } from "@/lib/telHref";
import * as t from "@/texts/selling";
import { Dialog } from "@/ui";

const LINK = "text-brand underline underline-offset-4 wrap-anywhere";

/** A button in the form of a link; it opens an explanation of how a seller gets verified. */
export function HowToGetVerified() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={LINK} onClick={() => setOpen(true)}>
        {t.howToGetVerified}
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t.howToGetVerified}>
        <Explanation />
      </Dialog>
    </>
  );
}

/** What "verified" means, and how to get there in the words of the market's team (the setting VERIFIED_TEXT). */
function Explanation() {
  const { data } = useConfigQuery();
  const { email, phone } = data?.contact ?? {};
  return (
    <div className="grid gap-3">
      <p>{t.verifiedMeans}</p>
      <p className="whitespace-pre-line">{data?.verifiedText}</p>
      <p className="flex flex-wrap gap-x-6 gap-y-3 font-semibold">
        {email && (
          <a href={`mailto:${email}?subject=${encodeURIComponent(t.verifiedSubject)}`} className={LINK}>
            {t.writeTo(email)}
          </a>
        )}
        {phone && (
          <a href={telHref(phone)} className={LINK}>
            {phone}
          </a>
        )}
        {!email && !phone && (
          <Link to="/contact" className={LINK}>
            {t.contactUs}
          </Link>
        )}
      </p>
    </div>
  );
}

/** On the seller's dashboard. As high in every state: a verification moves nothing. */
export function VerificationNote() {
  const { isVerified, isLoading } = useRole();
  return (
    <div className="min-h-[2lh] text-muted sm:min-h-[1lh]">
      {isVerified && <span>{t.isVerified}</span>}
      {!isVerified && !isLoading && (
        <>
          <span>{t.isNotVerified}</span> <HowToGetVerified />
        </>
      )}
    </div>
  );
}
