import { useMemo } from "react";
import { useSelector } from "react-redux";
import type { Product } from "@/api/types";
import { matches, type Query } from "@/lib/productQuery";
import * as t from "@/texts/search";
import { Button } from "@/ui";
import { type PhonesArg, phoneList } from "../phoneList";

interface Props {
  arg: PhonesArg;
  query: Query;
  busy: boolean;
  onRefresh: () => void;
}

/** A refresh button, shown when some phones no longer match. Only it, and not the grid, renders at each change of the list. */
export function RefreshResults({ arg, query, busy, onRefresh }: Props) {
  const select = useMemo(() => phoneList.select(arg), [arg]);
  const list = useSelector((state: never) => select(state).data);
  const some = useMemo(
    () => list?.ids.some((id) => !matches(query, list.entities[id] as Product)) ?? false,
    [query, list],
  );
  return (
    some && (
      <Button size="sm" variant="secondary" busy={busy} onClick={onRefresh} className="ms-auto shrink-0">
        {t.updateList}
      </Button>
    )
  );
}
