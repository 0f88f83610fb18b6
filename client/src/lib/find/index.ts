export {
  before,
  EVERYTHING,
  type Findable,
  matches,
  type Place,
  placeOf,
  type Query,
  SORTS,
  type Sort,
} from "./query";
export { countFilters, dollars, MAX_PRICE, MAX_TEXT, readQuery, writeQuery } from "./url";
export { words } from "./words";
