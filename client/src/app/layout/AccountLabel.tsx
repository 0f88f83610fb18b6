import type { SignedInUser } from "@/api/types";
import { Avatar } from "@/ui";
import { NextIcon } from "@/ui/icons";

/** The name of a user in the navigation bar. */
export const nameOf = (user: SignedInUser) => user.displayName || user.email;

/** The content of the account's button: the user's picture and name. */
export function AccountLabel({ user }: { user: SignedInUser }) {
  const name = nameOf(user);
  return (
    <>
      <Avatar src={user.photoURL} name={name} />
      <span className="flex min-w-0 items-center gap-1">
        <span className="min-w-0 truncate max-[85rem]:hidden">{name}</span>
        <NextIcon className="size-4 shrink-0 rotate-90 text-muted" />
      </span>
    </>
  );
}
