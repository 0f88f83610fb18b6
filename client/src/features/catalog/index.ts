/** What Home shows of the catalogue; app hands it in. */
export { BrandGrid } from "./BrandGrid";
export { advertised, topBrands, useTopBrandsQuery } from "./endpoints";
export { ShopWindow } from "./ShopWindow";
