import { Link } from "react-router-dom";
import { useIsPhoneRemoved } from "@/api/removals";
import type { Report, User } from "@/api/types";
import * as t from "@/texts/admin";
import { openCase, openCaseOf } from "@/texts/cases";
import { casePath } from "./cases/endpoints";
import { Quotes } from "./Quotes";
import { Removed } from "./Removed";
import type { useDeletion } from "./useDeletion";
import type { useRemovePhone } from "./useRemovePhone";

/** The path of the admin's list, filtered for one person. */
const personAt = (screen: "allBuyers" | "allSellers", email: string) =>
  `/dashboard/${screen}?q=${encodeURIComponent(email)}`;

const LINK = "text-brand text-sm underline underline-offset-4 wrap-anywhere";

interface PhoneProps {
  report: Report;
  /** Undefined until the sellers are loaded, and of one whose account is deleted. */
  seller: User | undefined;
}

/** The links to the phone, to its seller and to the case. */
export function PhoneCell({ report, seller }: PhoneProps) {
  const isRemoved = useIsPhoneRemoved(report.productID) || report.phoneRemoved;
  return (
    <div className="grid justify-items-start gap-1">
      {isRemoved ? (
        <span className="font-bold">{report.productName}</span>
      ) : (
        <Link to={`/phone/${report.productID}`} className="font-bold underline-offset-4 hover:underline">
          {report.productName}
        </Link>
      )}
      {/* Its place stays when the seller is removed. */}
      <span className="min-h-6">
        {seller && (
          <Link to={personAt("allSellers", seller.email)} className={LINK}>
            {t.soldBy(seller.name)}
          </Link>
        )}
      </span>
      <Link to={casePath(report.caseID)} title={openCaseOf(report.productName)} className={LINK}>
        {openCase}
      </Link>
    </div>
  );
}

/** The link to the person who made the report. */
export function ReporterCell({ report, isSeller }: { report: Report; isSeller: boolean }) {
  return (
    <Link to={personAt(isSeller ? "allSellers" : "allBuyers", report.email)} className={LINK}>
      {report.userName}
    </Link>
  );
}

/** The reason; below it, of a conversation, the reported messages between those beside them. */
export function ReasonCell({ report: { reason, quotes = [] } }: { report: Report }) {
  return (
    <div className="grid gap-2 wrap-anywhere">
      <span>{reason}</span>
      {quotes.length > 0 && <Quotes of={quotes} />}
    </div>
  );
}

/** What an admin can do about a report. */
export interface ReportActions {
  dismiss: ReturnType<typeof useDeletion<Report>>;
  removePhone: ReturnType<typeof useRemovePhone>;
  removeSeller: ReturnType<typeof useDeletion<User>>;
}

interface ActionsProps {
  report: Report;
  /** By _id; undefined until they are loaded. */
  sellers: Record<string, User> | undefined;
  actions: ReportActions;
}

/** The three actions, one below the other; in a card in two columns. What is removed keeps the place of its button. */
export function ActionsCell({ report, sellers, actions }: ActionsProps) {
  const { dismiss, removePhone } = actions;
  const { productID, productName } = report;
  const isRemoved = useIsPhoneRemoved(productID) || report.phoneRemoved || removePhone.isGone(productID);
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-2">
      {dismiss.button(report)}
      {isRemoved ? (
        <Removed>{t.phoneRemoved}</Removed>
      ) : (
        removePhone.button({ _id: productID, name: productName })
      )}
      <RemoveSeller report={report} sellers={sellers} actions={actions} />
    </div>
  );
}

function RemoveSeller({ report: { sellerID }, sellers, actions: { removeSeller } }: ActionsProps) {
  if (!sellers) return <Removed />;
  if (!sellerID) return <Removed>{t.sellerUnknown}</Removed>;
  const seller = sellers[sellerID];
  if (!seller || removeSeller.isGone(sellerID)) return <Removed>{t.sellerRemoved}</Removed>;
  return removeSeller.button(seller);
}
