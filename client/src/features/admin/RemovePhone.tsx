import * as t from "@/texts/admin";
import { Removed } from "./Removed";
import { useRemovePhone } from "./useRemovePhone";

/** On a phone's own page: removes it from the market. For admins. */
export default function RemovePhone({ id, name }: { id: string; name: string }) {
  const { button, dialog, isGone } = useRemovePhone();
  return (
    <section
      aria-labelledby="admin-tools"
      className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line px-5 py-3"
    >
      <h2 id="admin-tools" className="text-muted text-sm">
        {t.forAdmins}
      </h2>
      {isGone(id) ? <Removed>{t.phoneRemoved}</Removed> : button({ _id: id, name })}
      {dialog}
    </section>
  );
}
