import type { ReactElement } from "react";

/** Children that may stand beside others: no text outside an element, which a translated page could not keep (docs/adr/0033). */
export type Elements = ReactElement | readonly Elements[] | "" | boolean | null | undefined;
