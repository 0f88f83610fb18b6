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

/** A refresh button, shown when some phones no longer match. It renders independently of the grid. */
export function RefreshResults({ arg, query, busy, onRefresh }: Props) {
  const select = useMemo(() => phoneList.select(arg), [arg]);
  const some = useSelector((state: never) => {
    const list = select(state).data;
    return list?.ids.some((id) => !matches(query, list.entities[id] as Product)) ?? false;
  });
  return (
    some && (
      <Button size="sm" variant="secondary" busy={busy} onClick={onRefresh} className="ms-auto shrink-0">
        {t.updateList}
      </Button>
    )
  );
}
