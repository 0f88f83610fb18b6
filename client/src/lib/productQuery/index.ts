export { COLOURS, colourKey } from "./colours";
export {
  compareSortKeys,
  EMPTY_QUERY,
  matches,
  type Query,
  type SearchableProduct,
  type Sort,
  type SortKey,
  sortKeyOf,
  storageOf,
} from "./query";
export { splitWords, tokenize } from "./tokenize";
export { countFilters, formatQuery, MAX_TEXT_LENGTH, parseQuery, priceOf } from "./url";
