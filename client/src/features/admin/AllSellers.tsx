import { messageOf } from "@/api/errors";
import type { User } from "@/api/types";
import { useList } from "@/api/useList";
import { Badge, Button, useToast } from "@/ui";
import { AdminTable } from "./AdminTable";
import { sellers, useDeleteUserMutation, useVerifySellerMutation } from "./endpoints";
import { useDeletion } from "./useDeletion";

/** One argument object for all renders: the list's key in the cache. */
const ALL = {};

/** /dashboard/allSellers */
export default function AllSellers() {
  const view = useList(sellers, ALL);
  const [remove] = useDeleteUserMutation();
  const deletion = useDeletion<User>(remove, {
    question: "Are you sure you want to delete this seller?",
    done: "Seller Deleted Successfully",
    name: (user) => user.name,
    stake: "their phones leave the market, and they can't sign in again.",
  });
  return (
    <>
      <AdminTable
        title="All Sellers"
        view={view}
        columns={[
          { header: "Name", stands: "title", cell: (user) => <span className="font-bold">{user.name}</span> },
          { header: "Email", cell: (user) => <span className="wrap-anywhere text-sm">{user.email}</span> },
          { header: "Status", cell: (user) => <Status user={user} /> },
          { header: "Verify", cell: (user) => <Verify user={user} /> },
          { header: "Delete", cell: deletion.button },
        ]}
        empty="There are no sellers yet"
        emptyHint="Whoever signs up as a Seller appears here at once."
      />
      {deletion.dialog}
    </>
  );
}

function Status({ user }: { user: User }) {
  return (
    <div className="@4xl:w-28">
      {user.status ? <Badge tone="ok">{user.status}</Badge> : <Badge>Not verified</Badge>}
    </div>
  );
}

function Verify({ user }: { user: User }) {
  const [verify, { isLoading }] = useVerifySellerMutation();
  const toast = useToast();
  const press = async () => {
    const { error } = await verify(user._id);
    if (error) toast(messageOf(error), "error");
    else toast("Seller is Verified Now");
  };
  return (
    // The place of the button stays, so that nothing moves when it goes.
    <div className="min-h-9 @4xl:w-36">
      {user.status !== "verified" && (
        <Button
          size="sm"
          variant="secondary"
          title={`Make ${user.name} verified`}
          busy={isLoading}
          onClick={() => void press()}
        >
          Make Verified
        </Button>
      )}
    </div>
  );
}
