import type { User } from "@/api/types";
import { useList } from "@/api/useList";
import * as t from "@/texts/admin";
import { Badge, Email } from "@/ui";
import { AdminTable } from "./AdminTable";
import { ALL_SELLERS, sellers, useDeleteUserMutation } from "./endpoints";
import { PersonLink } from "./PersonLink";
import { useBadge } from "./useBadge";
import { useDeletion } from "./useDeletion";
import { usePeople } from "./usePeople";

/** /dashboard/allSellers */
export default function AllSellers() {
  const all = useList(sellers, ALL_SELLERS);
  const table = usePeople(all, {
    none: t.noSellers,
    noneHint: t.noSellersHint,
    isVerifiable: true,
  });
  const badge = useBadge(all.list?.entities);
  const [remove] = useDeleteUserMutation();
  const deletion = useDeletion<User>((id, reason) => remove({ id, reason }), {
    question: t.deleteSeller,
    done: t.sellerDeleted,
    name: (user) => user.name,
    consequence: t.sellerConsequence,
    takesReason: true,
  });
  return (
    <>
      <AdminTable
        {...table}
        title={t.allSellers}
        note={t.verifiedMeans}
        columns={[
          {
            header: t.name,
            cardSlot: "title",
            cell: (user) => <PersonLink user={user} />,
          },
          { header: t.email, cell: (user) => <Email address={user.email} /> },
          { header: t.status, width: "w-36", cell: (user) => <Status user={user} /> },
          { header: t.verify, width: "w-44", cell: (user) => <Verify user={user} badge={badge} /> },
          { header: t.deleteLabel, cardSlot: "action", width: "w-32", cell: deletion.button },
        ]}
      />
      {badge.dialog}
      {deletion.dialog}
    </>
  );
}

function Status({ user }: { user: User }) {
  return (
    <div className="@4xl:w-28">
      {user.status ? (
        <Badge tone="ok">{user.status === "verified" ? t.verified : user.status}</Badge>
      ) : (
        <Badge>{t.notVerified}</Badge>
      )}
    </div>
  );
}

/** Reserves the height of a button, so that nothing moves when one replaces the other. */
function Verify({ user, badge }: { user: User; badge: ReturnType<typeof useBadge> }) {
  return (
    <div className="min-h-9 @4xl:w-36">
      {user.status === "verified" ? badge.takeBack(user) : badge.verify(user)}
    </div>
  );
}
