import { expect, it } from "vitest";
import { pricesOfLike } from "./listedHere";

const phone = (name: string, resalePrice: number, storage?: number) => ({
  name,
  resalePrice,
  booked: false,
  ...(storage && { storage }),
});
const LISTED = [
  phone("iPhone 12", 240, 128),
  phone("Apple iPhone 12 128GB", 180),
  phone("iPhone 12", 200, 128),
  { ...phone("iPhone 12", 90, 128), booked: true },
  phone("iPhone 12", 150, 64),
  phone("iPhone 12", 300, 256),
  phone("iPhone 12 Pro", 400, 128),
];
const OF_STORAGE = { lowest: 180, highest: 240, count: 3, storage: 128 };
const OF_MODEL = { lowest: 150, highest: 300, count: 5, storage: 0 };

it.each([
  ["the storage of the field", "iphone 12", 128, OF_STORAGE],
  ["the storage in the name", "iPhone 12 128 GB", 0, OF_STORAGE],
  ["the field before the name", "iPhone 12 64GB", 128, OF_STORAGE],
  ["every storage if it is not known", "iPhone 12", 0, OF_MODEL],
  ["every storage if too few have this one", "iPhone 12", 64, OF_MODEL],
  ["nothing if there are too few of the model", "iPhone 12 Pro", 128, null],
  ["nothing without a model", "128 GB", 0, null],
])("the prices of the like are of phones with %s", (_, name, storage, want) => {
  expect(pricesOfLike(LISTED, { name, brand: "Apple", storage })).toEqual(want);
});
