import Category from "@/features/catalog/Category";

/** A brand's phones with the dialogs that their buttons open. */
export default function CategoryRoute() {
  return <Category />;
}
