export {
  before,
  EVERYTHING,
  type Findable,
  matches,
  type Query,
  SORTS,
  type Sort,
  type SortKey,
  sortKeyOf,
} from "./query";
export { countFilters, dollars, MAX_PRICE, MAX_TEXT, readQuery, writeQuery } from "./url";
export { words } from "./words";
