import { Suspense, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { LoginOrigin } from "@/lib/loginOrigin";
import type { Query } from "@/lib/productQuery";
import * as t from "@/texts/watching";
import { Button, cx } from "@/ui";
import { HeartIcon } from "@/ui/icons";
import { lazyScreen } from "@/ui/lazyPart";
import type { PhonesArg } from "../phoneList";

const SaveSearchDialog = lazyScreen(() => import("./SaveSearchDialog"));

interface Props {
  arg: PhonesArg;
  /** The query that the server made of it. */
  searched: Query | undefined;
  /** The main button of an empty result; beside results it is small. */
  isFirst?: boolean;
}

/** Saves the search whose results are shown, under a name. A visitor logs in first, and comes back to the search. */
export function SaveSearch({ arg, searched, isFirst = false }: Props) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const onPress = () => {
    if (arg.signedIn) setOpen(true);
    else void navigate("/login", { state: { from: pathname + search } satisfies LoginOrigin });
  };
  return (
    <>
      <Button
        size={isFirst ? "md" : "sm"}
        variant={isFirst ? "primary" : "secondary"}
        title={t.saveSearch}
        className={cx("shrink-0 whitespace-nowrap", !isFirst && "@max-xl:px-2!")}
        onClick={onPress}
      >
        <HeartIcon className="size-4" />
        <span className={cx(!isFirst && "@max-xl:sr-only")}>{t.saveSearch}</span>
      </Button>
      {isOpen && (
        <Suspense>
          <SaveSearchDialog arg={arg} searched={searched} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
