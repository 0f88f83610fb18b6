import { useEffect, useState } from "react";
import { toApiError } from "@/api/errors";
import { useIsSignedIn } from "@/api/me";
import type { Product } from "@/api/types";
import { useIsWatched, useWatchMutation } from "@/api/watching";
import * as t from "@/texts/watching";
import { cx, useToast } from "@/ui";
import { HeartIcon } from "@/ui/icons";
import { useLoginFor } from "./useLoginFor";

interface Props {
  product: Pick<Product, "_id" | "name">;
  className?: string;
}

/**
 * The watch button of a phone; pressed while the signed-in user watches it. It shows the new state at once, and the
 * server's state if the call fails. A visitor logs in first.
 */
export function WatchButton({ product: { _id, name }, className }: Props) {
  const isStored = useIsWatched(_id);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [watch, { isLoading }] = useWatchMutation();
  const isSignedIn = useIsSignedIn();
  const logInFor = useLoginFor();
  const toast = useToast();
  const isWatched = chosen ?? isStored;
  useEffect(() => {
    if (chosen === isStored) setChosen(null);
  }, [chosen, isStored]);

  const toggle = async () => {
    if (!isSignedIn) return logInFor("watch", { _id, name });
    if (isLoading) return;
    setChosen(!isWatched);
    const { error } = await watch({ phone: _id, isWatched: !isWatched });
    if (!error) return;
    setChosen(null);
    toast(toApiError(error).message, "error");
  };
  return (
    <button
      type="button"
      aria-pressed={isWatched}
      aria-label={t.watchPhone(name)}
      title={isWatched ? t.watching : t.watch}
      onClick={() => void toggle()}
      className={cx(
        "grid size-11 place-content-center rounded-full border border-line bg-surface shadow-card transition-colors hover:bg-sunk",
        isWatched ? "text-danger" : "text-muted hover:text-ink",
        className,
      )}
    >
      <HeartIcon className={cx("size-5 transition-transform", isWatched && "scale-110 fill-current")} />
    </button>
  );
}
