import { useRole } from "@/api/role";
import Account from "@/features/account/Account";
import { BlockedPeople } from "@/features/messages/BlockedPeople";

/** Your account, with the people whom one has blocked. Admins have no conversations. */
export default function AccountRoute() {
  const { role } = useRole();
  return <Account blocked={role === "buyer" || role === "seller" ? <BlockedPeople /> : undefined} />;
}
