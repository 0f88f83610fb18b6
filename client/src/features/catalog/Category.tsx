import { useParams } from "react-router-dom";
import type { Brand } from "@/api/types";
import { notFound } from "@/texts/screenNames";
import * as t from "@/texts/search";
import { brandTint, Picture, useTitle } from "@/ui";
import { CatalogBreadcrumbs } from "./CatalogBreadcrumbs";
import { useAllBrandsQuery } from "./endpoints";
import { ProductBrowser } from "./results/ProductBrowser";

/** The phones of one brand, with search and filters. The dialogs that its buttons open are mounted by the route. */
export default function Category() {
  const { id = "" } = useParams();
  const { data: brands } = useAllBrandsQuery();
  const brand = brands?.find(({ _id }) => _id === id);
  useTitle(brand ? t.phonesOf(brand.name) : brands && notFound);
  return (
    <section className="screen-width grid gap-1 pt-3 pb-12">
      <Head brand={brand} />
      <ProductBrowser brand={id} signedIn brands={null} />
    </section>
  );
}

/** The heading with the brand's name. It has the same height before the brand is loaded. */
function Head({ brand }: { brand: Brand | undefined }) {
  return (
    <header className="flex items-center gap-3">
      <Picture
        src={brand?.img}
        alt=""
        fit="cover"
        eager
        tint={brandTint(brand?._id ?? "")}
        className="w-12 shrink-0 rounded-sm"
      />
      <div className="grid min-w-0">
        <CatalogBreadcrumbs current={brand?.name} />
        <h1 className="font-extrabold text-2xl">{t.allProducts}</h1>
      </div>
    </header>
  );
}
