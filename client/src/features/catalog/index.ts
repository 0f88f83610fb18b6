/** What Home shows of the catalogue; app hands it in. */
export { BrandGrid } from "./BrandGrid";
export { useTopBrandsQuery } from "./endpoints";
export { ShopWindow } from "./ShopWindow";
