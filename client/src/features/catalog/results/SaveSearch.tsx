import { lazy, Suspense, useState } from "react";
import * as t from "@/texts/watching";
import { Button } from "@/ui";
import { HeartIcon } from "@/ui/icons";
import type { PhonesArg } from "../phoneList";

const SaveSearchDialog = lazy(() => import("./SaveSearchDialog"));

/** Saves the search whose results are shown, under a name. For signed-in users. */
export function SaveSearch({ arg }: { arg: PhonesArg }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant="secondary"
        title={t.saveSearch}
        className="shrink-0 whitespace-nowrap @max-xl:px-2!"
        onClick={() => setOpen(true)}
      >
        <HeartIcon className="size-4" />
        <span className="@max-xl:sr-only">{t.saveSearch}</span>
      </Button>
      {isOpen && (
        <Suspense>
          <SaveSearchDialog arg={arg} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
