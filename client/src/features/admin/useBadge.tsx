import { useState } from "react";
import type { User } from "@/api/types";
import * as t from "@/texts/admin";
import { Button } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { useTakeBadgeMutation } from "./endpoints";
import { useDeletion } from "./useDeletion";
import { VerifyDialog } from "./VerifyDialog";

interface BadgeControls {
  verify: (seller: User) => Elements;
  takeBack: (seller: User) => Elements;
  dialog: Elements;
}

/** The buttons that verify a seller and take the badge back, and the dialogs that ask first. `sellers` are by _id. */
export function useBadge(sellers: Record<string, User> | undefined): BadgeControls {
  const [seller, setSeller] = useState<User | null>(null);
  const [take] = useTakeBadgeMutation();
  const taking = useDeletion<User>(take, {
    question: t.takeBackQuestion,
    done: t.badgeTaken,
    name: ({ name }) => name,
    consequence: t.takeBackConsequence,
    own: { label: t.takeBack, titled: t.takeBackTitle },
    variant: "secondary",
  });
  return {
    verify: (one) => (
      <Button
        size="sm"
        variant="secondary"
        title={t.makeVerifiedTitle(one.name)}
        onClick={() => setSeller(one)}
      >
        {t.makeVerified}
      </Button>
    ),
    takeBack: taking.button,
    dialog: (
      <>
        {seller && (
          <VerifyDialog seller={seller} latest={sellers?.[seller._id]} onClose={() => setSeller(null)} />
        )}
        {taking.dialog}
      </>
    ),
  };
}
