import { useConfigQuery } from "@/api/config";
import type { DemoLogin } from "@/api/types";
import * as t from "@/texts/auth";
import { Button } from "@/ui";

const names: Record<string, string> = {
  admin: t.demoAdmin,
  "seller-verified": t.demoSellerVerified,
  seller: t.demoSeller,
  buyer: t.demoBuyer,
  buyer2: t.demoBuyer2,
};

/** In the demo only: buttons that fill the form with the login of each role. */
export function DemoLogins({ onPick }: { onPick: (login: DemoLogin) => void }) {
  const { data } = useConfigQuery();
  if (!data?.demoLogins?.length) return null;
  return (
    <fieldset className="rounded-md bg-brand-soft p-4">
      <legend className="float-left mb-3 font-medium text-brand text-sm">{t.demoLogins}</legend>
      <div className="clear-both flex flex-wrap gap-2">
        {data.demoLogins.map((login) => (
          <Button
            key={login.email}
            size="sm"
            variant="secondary"
            title={login.email}
            onClick={() => onPick(login)}
          >
            {names[login.role] ?? login.role}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
