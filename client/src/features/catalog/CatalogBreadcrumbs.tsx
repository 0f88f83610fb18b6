import { Link } from "react-router-dom";
import * as t from "@/texts/layout";
import { Breadcrumbs } from "@/ui";

interface Props {
  /** The brand of the shown phone; none on the brand's own screen. */
  brand?: { id: string; name: string };
  /** The name of the shown brand or phone. */
  current: string | undefined;
}

/** The way from Home to a brand or a phone. */
export const CatalogBreadcrumbs = ({ brand, current }: Props) => (
  <Breadcrumbs current={current}>
    <Link to="/">{t.home}</Link>
    <Link to="/categories">{t.categories}</Link>
    {brand && <Link to={`/category/${brand.id}`}>{brand.name}</Link>}
  </Breadcrumbs>
);
