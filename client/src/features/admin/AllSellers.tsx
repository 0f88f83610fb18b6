import { errorMessage } from "@/api/errors";
import type { User } from "@/api/types";
import { useList } from "@/api/useList";
import * as t from "@/texts/admin";
import { Badge, Button, Email, useToast } from "@/ui";
import { AdminTable } from "./AdminTable";
import { sellers, useDeleteUserMutation, useVerifySellerMutation } from "./endpoints";
import { useDeletion } from "./useDeletion";
import { usePeople } from "./usePeople";

/** One argument object for all renders: the list's key in the cache. */
const ALL = {};

/** /dashboard/allSellers */
export default function AllSellers() {
  const table = usePeople(useList(sellers, ALL), {
    none: t.noSellers,
    noneHint: t.noSellersHint,
    isVerifiable: true,
  });
  const [remove] = useDeleteUserMutation();
  const deletion = useDeletion<User>(remove, {
    question: t.deleteSeller,
    done: t.sellerDeleted,
    name: (user) => user.name,
    consequence: t.sellerConsequence,
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
            cell: (user) => <span className="font-bold">{user.name}</span>,
          },
          { header: t.email, cell: (user) => <Email address={user.email} /> },
          { header: t.status, width: "w-36", cell: (user) => <Status user={user} /> },
          { header: t.verify, width: "w-44", cell: (user) => <Verify user={user} /> },
          { header: t.deleteLabel, cardSlot: "action", width: "w-32", cell: deletion.button },
        ]}
      />
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

function Verify({ user }: { user: User }) {
  const [verify, { isLoading }] = useVerifySellerMutation();
  const toast = useToast();
  const press = async () => {
    const { error } = await verify(user._id);
    if (error) toast(errorMessage(error), "error");
    else toast(t.sellerVerified);
  };
  return (
    // Reserves the height of the button, so that nothing moves when it is removed.
    <div className="min-h-9 @4xl:w-36">
      {user.status !== "verified" && (
        <Button
          size="sm"
          variant="secondary"
          title={t.makeVerifiedTitle(user.name)}
          busy={isLoading}
          onClick={() => void press()}
        >
          {t.makeVerified}
        </Button>
      )}
    </div>
  );
}
