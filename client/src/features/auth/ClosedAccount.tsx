import { Link } from "react-router-dom";
import type { Decision } from "@/api/types";
import { serverNow } from "@/lib/serverTime";
import * as t from "@/texts/decisions";
import { Button, buttonClass } from "@/ui";
import { DecisionText } from "@/ui/DecisionText";
import { AuthCard } from "./AuthCard";

interface Props {
  decision: Decision;
  /** With it the owner of the account can appeal. */
  token: string;
  onBack: () => void;
}

/** In place of the login form: why the account is closed, for its owner. */
export function ClosedAccount({ decision, token, onBack }: Props) {
  const { at, appeal, appealBy } = decision;
  const mayAppeal = !appeal && Date.parse(appealBy) > serverNow();
  return (
    <AuthCard title={t.closedTitle}>
      <div role="status" className="grid gap-2">
        <time dateTime={at} className="text-muted text-sm">
          {t.decidedOn(at)}
        </time>
        <DecisionText decision={decision} />
        {appeal && <p className="font-semibold">{t.states[appeal.state]}</p>}
      </div>
      {mayAppeal && (
        <Link to="/appeal" state={{ token }} className={buttonClass()}>
          {t.lookAgain}
        </Link>
      )}
      <Button variant="quiet" onClick={onBack}>
        {t.otherAccount}
      </Button>
    </AuthCard>
  );
}
