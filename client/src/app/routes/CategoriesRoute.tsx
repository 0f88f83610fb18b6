import type { AppStore } from "@/app/store";
import { allBrands } from "@/features/catalog/endpoints";

export { default } from "@/features/catalog/Categories";

/** Asks for what the screen shows first. */
export const ready = ({ dispatch }: AppStore) =>
  dispatch(allBrands.initiate(undefined, { subscribe: false }));
