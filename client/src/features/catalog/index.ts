/** What Home shows of the catalogue; app hands it in. */
export { TopBrands } from "./brands/TopBrands";
export { FeaturedProducts } from "./home/FeaturedProducts";
