import type { Entity } from "@/lib/live";

/** What a person is in the market; admins act as neither of the others. */
export type Role = "admin" | "buyer" | "seller";

/** The signed-in user as the identity provider knows them. */
export interface SignedInUser {
  uid: string;
  email: string;
  displayName: string;
  photoURL: string;
}

/** A person of the market. */
export interface User extends Entity {
  name: string;
  email: string;
  accountType: "User" | "Seller";
  /** "verified" when an admin has verified the seller; otherwise empty or absent. */
  status?: string;
}

/** A brand, also called category. */
export interface Brand extends Entity {
  name: string;
  img: string;
}

/** Who bought a phone; for its seller, once paid. */
export interface Buyer {
  name: string;
  email: string;
  phone: string;
  location: string;
}

/** The conditions a phone may be in. */
export const CONDITIONS = ["Excellent", "Good", "Fair"] as const;

/** One phone for sale. Prices are whole US dollars. */
export interface Product extends Entity {
  /** The brand's _id. */
  id: string;
  name: string;
  brand: string;
  img: string;
  originalPrice: number;
  resalePrice: number;
  usedTime: string;
  productCondition: (typeof CONDITIONS)[number];
  sellerName: string;
  /** Contact fields are left out for a visitor without a token. */
  email?: string;
  location?: string;
  phone?: string;
  description: string;
  /** YYYY-MM-DD. */
  selling_post_date: string;
  /** The seller is verified. */
  verified: boolean;
  /** Held or sold. */
  booked: boolean;
  advertise: boolean;
  /** Paid for; never free again. */
  sold: boolean;
  /** For its seller, while held: RFC 3339, UTC. */
  heldUntil?: string;
  buyer?: Buyer;
}

/** Where an order stands. */
export type BookingStatus = "held" | "paid" | "expired" | "cancelled" | "refunded";

/** One buyer's order of one phone. The price is whole US dollars. */
export interface Booking extends Entity {
  productName: string;
  productID: string;
  brand: string;
  price: number;
  img: string;
  email: string;
  userName: string;
  paid: boolean;
  status: BookingStatus;
  /** RFC 3339, UTC. */
  holdUntil: string;
  phone?: string;
  location?: string;
}

/** One person's complaint about one phone. */
export interface Report extends Entity {
  img: string;
  productName: string;
  userName: string;
  reason: string;
}

/** The answer of a write: what was made or how many were changed. */
export interface Acknowledged {
  acknowledged: boolean;
  insertedId?: string;
  modifiedCount?: number;
  deletedCount?: number;
}

/** Who may advertise: verified sellers, all sellers, or nobody. */
export type AdvertisePolicy = "verified" | "all" | "off";

/** A login the demo offers. */
export interface DemoLogin {
  role: string;
  email: string;
  password: string;
}

/** GET /config: what the server tells every client. */
export interface Config {
  product: string;
  stripe: { publishableKey: string; sandbox: boolean };
  google: boolean;
  imageHost: { url: string; key: string };
  contact: { email: string; phone: string; location: string };
  advertise: AdvertisePolicy;
  demoLogins?: DemoLogin[];
}
