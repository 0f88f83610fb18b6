import { useRole } from "@/api/role";
import Search from "@/features/catalog/Search";
import { PhoneDialogs } from "./PhoneDialogs";

/** The search of the whole market with the dialogs that its buttons open. */
export default function SearchRoute() {
  useRole(); // The cards offer what the role may do.
  return (
    <>
      <Search />
      <PhoneDialogs />
    </>
  );
}
