/** What Home shows of the catalogue; app hands it in. */
export { BrandGrid } from "./brands/BrandGrid";
export { advertised, topBrands, useTopBrandsQuery } from "./endpoints";
export { FeaturedProducts } from "./home/FeaturedProducts";
