import type { Brand, NewProduct, Product, ProductChange, SignedInUser } from "@/api/types";
import { cleanLine } from "@/lib/cleanText";
import { newFormKey } from "@/lib/formKey";
import type { UploadStates } from "@/lib/uploadState";
import { type FormPhoto, photoUrl, toFormPhotos, toPhotoPayload } from "./photoList";
import { priceOf, today } from "./validation";

/** The values of the form. The names are those of the payload; `image` has the photos. */
export interface FormValues {
  name: string;
  brand: string;
  originalPrice: string;
  resalePrice: string;
  /** GB; "" if not specified. */
  storage: string;
  colour: string;
  productCondition: Product["productCondition"] | "";
  usedTime: string;
  description: string;
  delivers: Product["delivers"];
  /** Whole US dollars; not shown if the phone is not sent. */
  postage: string;
  location: string;
  phone: string;
  selling_post_date: string;
  /** Whether the seller takes offers. */
  offers: boolean;
  image: FormPhoto[];
  /** Of a new phone: it is added once, also if the form is sent again (lib/formKey.ts). */
  key: string;
}

/** The values of an empty form. */
export const EMPTY_FORM: FormValues = {
  name: "",
  brand: "",
  originalPrice: "",
  resalePrice: "",
  storage: "",
  colour: "",
  productCondition: "",
  usedTime: "",
  description: "",
  delivers: "both",
  postage: "0",
  location: "",
  phone: "",
  selling_post_date: "",
  offers: true,
  image: [],
  key: "",
};

/** The fields of a listed phone that can be changed and are sent as they are. */
const PLAIN_FIELDS = [
  "name",
  "colour",
  "productCondition",
  "usedTime",
  "description",
  "delivers",
  "location",
  "phone",
  "offers",
] as const;
const PRICE_FIELDS = ["originalPrice", "resalePrice", "postage"] as const;
/** All fields of a listed phone that can be changed. */
const EDITABLE_FIELDS = [...PLAIN_FIELDS, ...PRICE_FIELDS, "storage", "image"] as const;
/** One of these fields. */
export type EditableField = (typeof EDITABLE_FIELDS)[number];

/** The form values of a listed phone. */
export function toFormValues(product: Product): FormValues {
  const { name, brand, productCondition, usedTime, description, delivers, offers, selling_post_date } =
    product;
  return {
    name,
    brand,
    productCondition,
    usedTime,
    description,
    delivers,
    offers,
    postage: String(product.postage),
    selling_post_date,
    location: product.location ?? "",
    phone: product.phone ?? "",
    originalPrice: String(product.originalPrice),
    resalePrice: String(product.resalePrice),
    colour: product.colour ?? "",
    storage: product.storage ? String(product.storage) : "",
    image: toFormPhotos(product.photos),
    key: "",
  };
}

/** The initial values of the form of a new phone. */
export const newForm = (): FormValues => ({ ...EMPTY_FORM, selling_post_date: today(), key: newFormKey() });

/**
 * The same for a phone like a listed one. Photos and description are left out, because they are about that one phone,
 * unless it is the same phone again.
 */
export function newFormLike(product: Product, isSame: boolean): FormValues {
  const { selling_post_date, key } = newForm();
  const values = { ...toFormValues(product), selling_post_date, key };
  return isSame ? values : { ...values, image: [], description: "" };
}

/** The body of POST /products. A single photo without a description is sent as `img` only, as for other image hosts. */
export function toNewProduct(
  values: FormValues,
  uploadStates: UploadStates,
  brand: Brand,
  me: SignedInUser,
): NewProduct {
  const photos = toPhotoPayload(values.image, uploadStates);
  const isSinglePhoto = photos.length === 1 && photos[0]?.alt === "";
  return {
    name: values.name,
    brand: brand.name,
    id: brand._id,
    img: photos[0]?.url,
    ...(!isSinglePhoto && { photos }),
    originalPrice: priceOf(values.originalPrice),
    resalePrice: priceOf(values.resalePrice),
    ...(values.storage && { storage: Number(values.storage) }),
    ...(values.colour && { colour: values.colour }),
    productCondition: values.productCondition as Product["productCondition"],
    usedTime: values.usedTime,
    description: values.description,
    delivers: values.delivers,
    offers: values.offers,
    postage: isSent(values) ? priceOf(values.postage) : 0,
    sellerName: me.displayName,
    email: me.email,
    location: values.location,
    phone: values.phone,
    ...(values.key && { key: values.key }),
    selling_post_date: values.selling_post_date,
  };
}

/** Whether the buyer can have the phone sent. */
export const isSent = ({ delivers }: Pick<FormValues, "delivers">) => delivers !== "meet";

/** The body of PATCH /products/{id}: the changed fields only; null if nothing has changed. */
export function toProductChange(
  base: Product,
  mine: FormValues,
  uploadStates: UploadStates,
): ProductChange | null {
  const before = toFormValues(base);
  const change: ProductChange = {};
  for (const field of PLAIN_FIELDS)
    if (isDifferent(field, before, mine)) Object.assign(change, { [field]: mine[field] });
  for (const field of PRICE_FIELDS) {
    const isShown = field !== "postage" || isSent(mine);
    if (isShown && isDifferent(field, before, mine)) change[field] = priceOf(mine[field]);
  }
  if (isDifferent("storage", before, mine)) change.storage = Number(mine.storage); // 0 removes it
  if (isDifferent("image", before, mine)) change.photos = toPhotoPayload(mine.image, uploadStates);
  return Object.keys(change).length === 0 ? null : { ...change, version: base.version };
}

/** The result of rebasing a form on a changed phone. */
interface RebaseResult {
  /** Values of the phone for fields that the seller has not edited. */
  applied: Partial<FormValues>;
  /** Fields that were changed in both, to different values: the seller has to choose. */
  conflicts: EditableField[];
}

/** Rebases a form on the current phone, and keeps what the seller has edited. */
export function rebase(base: Product, mine: FormValues, now: Product): RebaseResult {
  const [before, after] = [toFormValues(base), toFormValues(now)];
  const result: RebaseResult = { applied: {}, conflicts: [] };
  for (const field of EDITABLE_FIELDS) {
    if (!isDifferent(field, before, after)) continue;
    if (!isDifferent(field, before, mine)) Object.assign(result.applied, { [field]: after[field] });
    else if (isDifferent(field, mine, after)) result.conflicts.push(field);
  }
  return result;
}

const isPrice = (field: EditableField): field is (typeof PRICE_FIELDS)[number] =>
  PRICE_FIELDS.some((price) => price === field);

function isDifferent(field: EditableField, a: FormValues, b: FormValues): boolean {
  if (isPrice(field)) return !isSamePrice(a[field], b[field]);
  if (field !== "image") return a[field] !== b[field];
  const [photosA, photosB] = [a.image, b.image];
  return (
    photosA.length !== photosB.length || photosA.some((photo, index) => !isSamePhoto(photo, photosB[index]))
  );
}

/** 250 and 250.00 are the same price. */
const isSamePrice = (a: string, b: string) => a === b || priceOf(a) === priceOf(b);

/** Whether two photos are equal. A newly selected file is equal to no photo of the server. */
function isSamePhoto(one: FormPhoto, other: FormPhoto | undefined): boolean {
  const noUploads: UploadStates = new Map();
  const url = photoUrl(one, noUploads);
  return (
    other !== undefined &&
    url !== null &&
    url === photoUrl(other, noUploads) &&
    cleanLine(one.alt) === cleanLine(other.alt)
  );
}
