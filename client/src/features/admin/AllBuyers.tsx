import type { User } from "@/api/types";
import { useList } from "@/api/useList";
import { AdminTable } from "./AdminTable";
import { buyers, useDeleteUserMutation } from "./endpoints";
import { useDeletion } from "./useDeletion";

/** One argument object for all renders: the list's key in the cache. */
const ALL = {};

/** /dashboard/allBuyers */
export default function AllBuyers() {
  const view = useList(buyers, ALL);
  const [remove] = useDeleteUserMutation();
  const deletion = useDeletion<User>(remove, {
    question: "Are you sure you want to delete this buyer?",
    done: "Buyer Deleted Successfully",
    name: (user) => user.name,
    stake: "their open bookings end, and they can't sign in again.",
  });
  return (
    <>
      <AdminTable
        title={view.list ? `All Buyers: ${view.list.total}` : "All Buyers"}
        view={view}
        columns={[
          { header: "Name", stands: "title", cell: (user) => <span className="font-bold">{user.name}</span> },
          { header: "Email", cell: (user) => <span className="wrap-anywhere text-sm">{user.email}</span> },
          { header: "Delete", cell: deletion.button },
        ]}
        empty="There are no buyers yet"
        emptyHint="Whoever signs up as a User appears here at once."
      />
      {deletion.dialog}
    </>
  );
}
