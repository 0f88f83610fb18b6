/** What Home shows of the catalogue; app hands it in. */
export { AdvertisedItems } from "./AdvertisedItems";
export { BrandGrid } from "./BrandGrid";
export { useTopBrandsQuery } from "./endpoints";
export { ShopWindow } from "./ShopWindow";
