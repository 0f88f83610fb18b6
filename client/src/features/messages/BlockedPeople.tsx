import type { Thread } from "@/api/types";
import * as t from "@/texts/messages";
import { Button } from "@/ui";
import { useBlockedThreadsQuery } from "./endpoints";
import { useBlock } from "./ThreadTools";

/** The section of Your account with the people that the person has blocked; nothing if there are none. */
export function BlockedPeople() {
  const { data = [], refetch } = useBlockedThreadsQuery();
  if (data.length === 0) return null;
  return (
    <section
      aria-labelledby="blocked-title"
      className="grid gap-4 rounded-lg border border-line bg-surface p-5 shadow-card"
    >
      <h3 id="blocked-title" className="font-bold text-lg">
        {t.blockedPeople}
      </h3>
      <p className="text-muted text-sm">{t.blockedHint}</p>
      <ul className="grid gap-2">
        {data.map((thread) => (
          <Person key={thread._id} thread={thread} onChanged={() => void refetch()} />
        ))}
      </ul>
    </section>
  );
}

function Person({ thread, onChanged }: { thread: Thread; onChanged: () => void }) {
  const { block, isLoading } = useBlock(thread);
  return (
    <li className="flex items-center justify-between gap-3">
      <span>{thread.with.name}</span>
      <Button
        size="sm"
        variant="secondary"
        busy={isLoading}
        onClick={() => void block(false).then(onChanged)}
      >
        {t.unblock}
      </Button>
    </li>
  );
}
