import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { useMe } from "@/api/me";
import type { Product } from "@/api/types";
import { useIsWatched, useWatchMutation } from "@/api/watching";
import { type LoginOrigin, withPendingAction } from "@/lib/loginOrigin";
import * as t from "@/texts/watching";
import { cx, useToast } from "@/ui";
import { HeartIcon } from "@/ui/icons";

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
  const isSignedIn = useMe() !== null;
  const logIn = useLogIn({ _id, name });
  const toast = useToast();
  const isWatched = chosen ?? isStored;
  useEffect(() => {
    if (chosen === isStored) setChosen(null);
  }, [chosen, isStored]);

  const toggle = async () => {
    if (!isSignedIn) return logIn();
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

/** Leads to the login, which returns here and watches the phone; from Home it returns to the phone's page. */
function useLogIn({ _id, name }: Props["product"]) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return () => {
    const screen = pathname === "/" ? `/phone/${_id}` : pathname;
    const from = screen + withPendingAction(search, { dialog: "watch", phone: _id });
    void navigate("/login", { state: { from, phone: name } satisfies LoginOrigin });
  };
}
