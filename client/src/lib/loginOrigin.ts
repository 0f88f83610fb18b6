/** The screen that a person comes back to after the login or the sign-up, as it is kept in the history's state. */
export interface LoginOrigin {
  /** A path of this site with its query and hash; the query may hold a pending action. */
  from: string;
  /** The name of the phone that the pending action is about. */
  phone?: string;
}

/** An action on a phone that a visitor started; it needs an account, so it continues after the login. */
export interface PendingAction {
  dialog: "booking" | "wait" | "report" | "watch";
  /** The phone's _id. */
  phone: string;
}

/** The query parameter of each action; its value is the phone's _id. */
const PARAMETERS = { booking: "book", wait: "wait", report: "report", watch: "watch" } as const;
const DIALOGS = ["booking", "wait", "report", "watch"] as const;

/** A path of this site. Browsers read a backslash as a slash and drop tabs and line ends, and two slashes lead to another site. */
const PATH = /^\/(?![/\\])\S*$/;

/**
 * The origin of /login or /signUp: in the history's state, or in ?returnTo= after a sign-in with Google that failed.
 * Home for none, or for another site's.
 */
export function loginOriginOf({ state, search }: { state: unknown; search: string }): LoginOrigin {
  const stored = (state ?? {}) as Partial<Record<keyof LoginOrigin, unknown>>;
  const from = stored.from ?? new URLSearchParams(search).get("returnTo");
  if (typeof from !== "string" || !PATH.test(from)) return { from: "/" };
  return typeof stored.phone === "string" ? { from, phone: stored.phone } : { from };
}

/** The email that was typed on the login or on /forgot; the links between them pass it on. */
export function typedEmailOf({ state }: { state: unknown }): string {
  const { email } = (state ?? {}) as { email?: unknown };
  return typeof email === "string" ? email : "";
}

/** Where sellers add a phone. */
export const ADD_PRODUCT = "/dashboard/addProduct";
/** The sign-up for those who want to sell; somebody who is signed in is led on to ADD_PRODUCT. */
export const SIGN_UP_TO_SELL = `/signUp?returnTo=${ADD_PRODUCT}`;

/** The query with the action in it. */
export function withPendingAction(search: string, { dialog, phone }: PendingAction): string {
  const query = new URLSearchParams(withoutPendingAction(search));
  query.set(PARAMETERS[dialog], phone);
  return `?${query}`;
}

/** The query without an action; "" for nothing else in it. */
export function withoutPendingAction(search: string): string {
  const query = new URLSearchParams(search);
  for (const dialog of DIALOGS) query.delete(PARAMETERS[dialog]);
  const rest = query.toString();
  return rest && `?${rest}`;
}

/** The action in a query, or null. */
export function pendingActionIn(search: string): PendingAction | null {
  const query = new URLSearchParams(search);
  for (const dialog of DIALOGS) {
    const phone = query.get(PARAMETERS[dialog]);
    if (phone) return { dialog, phone };
  }
  return null;
}
