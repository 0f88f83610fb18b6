import type { Brand, NewProduct, Product, ProductChange, SignedInUser } from "@/api/types";
import { type FormPhoto, formPhotosOf, payloadOf, urlOf } from "./photos";
import type { UploadStates } from "./uploads";

/** What the seller types and chooses; names are the payload's, the photographs are `image`. */
export interface FormValues {
  name: string;
  brand: string;
  originalPrice: string;
  resalePrice: string;
  /** GB; "" where the seller does not say. */
  storage: string;
  productCondition: Product["productCondition"] | "";
  usedTime: string;
  description: string;
  location: string;
  phone: string;
  selling_post_date: string;
  image: FormPhoto[];
}

/** A form that nobody has touched. */
export const EMPTY: FormValues = {
  name: "",
  brand: "",
  originalPrice: "",
  resalePrice: "",
  storage: "",
  productCondition: "",
  usedTime: "",
  description: "",
  location: "",
  phone: "",
  selling_post_date: "",
  image: [],
};

/** What of a phone that is listed can be changed, photographs apart. */
const TEXTS = ["name", "productCondition", "usedTime", "description", "location", "phone"] as const;
const PRICES = ["originalPrice", "resalePrice"] as const;
/** All of it. */
export const EDITABLE = [...TEXTS, ...PRICES, "storage", "image"] as const;
/** One of them. */
export type Editable = (typeof EDITABLE)[number];

/** The form of a phone that is listed. */
export function formValuesOf(product: Product): FormValues {
  const { name, brand, productCondition, usedTime, description, selling_post_date } = product;
  return {
    name,
    brand,
    productCondition,
    usedTime,
    description,
    selling_post_date,
    location: product.location ?? "",
    phone: product.phone ?? "",
    originalPrice: String(product.originalPrice),
    resalePrice: String(product.resalePrice),
    storage: product.storage ? String(product.storage) : "",
    image: formPhotosOf(product.photos),
  };
}

/** What POST /products is sent. One photograph without words is `img` alone, as for other image hosts. */
export function newProductOf(
  typed: FormValues,
  sendings: UploadStates,
  brand: Brand,
  me: SignedInUser,
): NewProduct {
  const photos = payloadOf(typed.image, sendings);
  const isPlain = photos.length === 1 && photos[0]?.alt === "";
  return {
    name: typed.name.trim(),
    brand: brand.name,
    id: brand._id,
    img: photos[0]?.url,
    ...(!isPlain && { photos }),
    originalPrice: Number(typed.originalPrice),
    resalePrice: Number(typed.resalePrice),
    ...(typed.storage && { storage: Number(typed.storage) }),
    productCondition: typed.productCondition as Product["productCondition"],
    usedTime: typed.usedTime.trim(),
    description: typed.description.trim(),
    sellerName: me.displayName,
    email: me.email,
    location: typed.location.trim(),
    phone: typed.phone.trim(),
    selling_post_date: typed.selling_post_date,
  };
}

/** What PATCH /products/{id} is sent: only what is not as it was; null where all is. */
export function changeOf(base: Product, mine: FormValues, sendings: UploadStates): ProductChange | null {
  const was = formValuesOf(base);
  const change: ProductChange = {};
  for (const field of TEXTS)
    if (differ(field, was, mine)) Object.assign(change, { [field]: mine[field].trim() });
  for (const field of PRICES) if (differ(field, was, mine)) change[field] = Number(mine[field]);
  if (differ("storage", was, mine)) change.storage = Number(mine.storage); // 0 removes it
  if (differ("image", was, mine)) change.photos = payloadOf(mine.image, sendings);
  return Object.keys(change).length === 0 ? null : { ...change, version: base.version };
}

/** What somebody else's change makes of a form. */
export interface Rebased {
  /** Taken over: the seller had left it alone. */
  applied: Partial<FormValues>;
  /** Changed by both, and not to the same: the seller has to say which. */
  conflicts: Editable[];
}

/** Brings a form from the phone it began with to the phone as it is now, and loses nothing of what was typed. */
export function rebase(base: Product, mine: FormValues, now: Product): Rebased {
  const [was, is] = [formValuesOf(base), formValuesOf(now)];
  const rebased: Rebased = { applied: {}, conflicts: [] };
  for (const field of EDITABLE) {
    if (!differ(field, was, is)) continue;
    if (!differ(field, was, mine)) Object.assign(rebased.applied, { [field]: is[field] });
    else if (differ(field, mine, is)) rebased.conflicts.push(field);
  }
  return rebased;
}

function differ(field: Editable, one: FormValues, other: FormValues): boolean {
  if (field !== "image") return one[field].trim() !== other[field].trim();
  const [a, b] = [one.image, other.image];
  return a.length !== b.length || a.some((photo, place) => !isSame(photo, b[place]));
}

/** A file that was only just chosen is like no photograph of the server's. */
function isSame(one: FormPhoto, other: FormPhoto | undefined): boolean {
  const nothingSent: UploadStates = new Map();
  const url = urlOf(one, nothingSent);
  return (
    other !== undefined &&
    url !== null &&
    url === urlOf(other, nothingSent) &&
    one.alt.trim() === other.alt.trim()
  );
}
