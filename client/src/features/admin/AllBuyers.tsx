import type { User } from "@/api/types";
import { useList } from "@/api/useList";
import * as t from "@/texts/admin";
import { Email } from "@/ui";
import { AdminTable } from "./AdminTable";
import { buyers, useDeleteUserMutation } from "./endpoints";
import { PersonLink } from "./PersonLink";
import { useDeletion } from "./useDeletion";
import { usePeople } from "./usePeople";

/** One argument object for all renders: the list's key in the cache. */
const ALL = {};

/** /dashboard/allBuyers */
export default function AllBuyers() {
  const all = useList(buyers, ALL);
  const table = usePeople(all, { none: t.noBuyers, noneHint: t.noBuyersHint });
  const [remove] = useDeleteUserMutation();
  const deletion = useDeletion<User>((id, reason) => remove({ id, reason }), {
    question: t.deleteBuyer,
    done: t.buyerDeleted,
    name: (user) => user.name,
    consequence: t.buyerConsequence,
    takesReason: true,
  });
  return (
    <>
      <AdminTable
        {...table}
        title={all.list ? t.allBuyersCounted(all.list.total) : t.allBuyers}
        columns={[
          {
            header: t.name,
            cardSlot: "title",
            cell: (user) => <PersonLink user={user} />,
          },
          { header: t.email, cell: (user) => <Email address={user.email} /> },
          { header: t.deleteLabel, cardSlot: "action", width: "w-32", cell: deletion.button },
        ]}
      />
      {deletion.dialog}
    </>
  );
}
