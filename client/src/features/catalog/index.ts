/** The parts of the catalog on Home; app passes them in. */
export { TopBrands } from "./brands/TopBrands";
export { FeaturedProducts } from "./home/FeaturedProducts";
