import type { Product } from "@/api/types";
import { cx } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { WatchModel } from "./WatchModel";

interface Props {
  /** The phone, if somebody else has it: its model can be watched. */
  modelToWatch: Product | false;
  /** The button of the form. */
  children: Elements;
}

/** The buttons below a form. They are sticky, so that they are always visible. */
export function FormFooter({ modelToWatch, children }: Props) {
  return (
    <div
      className={cx(
        "-bottom-6 -mb-6 sm:-bottom-8 sm:-mb-8 sticky grid gap-2 bg-surface pt-1 pb-6 sm:pb-8",
        modelToWatch && "grid-cols-[minmax(0,1fr)_9.5rem] *:px-2!",
      )}
    >
      {children}
      {modelToWatch && <WatchModel key={modelToWatch._id} product={modelToWatch} />}
    </div>
  );
}
