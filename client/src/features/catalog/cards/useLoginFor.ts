import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { Product } from "@/api/types";
import { type LoginOrigin, type PendingAction, withPendingAction } from "@/lib/loginOrigin";

/**
 * Returns a function that leads a visitor to the login. It returns to this screen and continues with the action; from
 * Home, which has no dialogs, to the phone's page.
 */
export function useLoginFor() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return useCallback(
    (dialog: PendingAction["dialog"], { _id, name }: Pick<Product, "_id" | "name">) => {
      const screen = pathname === "/" ? `/phone/${_id}` : pathname;
      const from = screen + withPendingAction(search, { dialog, phone: _id });
      void navigate("/login", { state: { from, phone: name } satisfies LoginOrigin });
    },
    [navigate, pathname, search],
  );
}
