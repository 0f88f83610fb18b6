import { cx } from "@/ui";

/** The classes of a link of the navigation bar and its menus. */
export const linkClass = ({ isActive }: { isActive: boolean }) =>
  cx(
    "rounded-full px-3.5 py-2 font-semibold text-sm transition-colors hover:bg-sunk max-lg:text-base",
    isActive && "bg-brand-soft text-brand hover:bg-brand-soft",
  );
