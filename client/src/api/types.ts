import type { components } from "./schema";

/** The server's own description of what it sends and takes (api/openapi.json). */
type Schemas = components["schemas"];

/** Everything that is kept on a person, for themself. */
export type PersonData = Schemas["Person"];
/** What POST /identity/leave is sent. */
export type LeaveBody = Schemas["LeaveBody"];

/** What a person is in the market; admins act as neither of the others. */
export type Role = "admin" | "buyer" | "seller";

/** The signed-in user as the identity provider knows them. */
export type SignedInUser = Schemas["SignedInUser"];
/** A person of the market; status is "verified" for a verified seller. */
export type User = Schemas["User"];
/** A brand, also called category. */
export type Brand = Schemas["Brand"];
/** One phone for sale. Prices are whole US dollars; contact fields are left out for a visitor. */
export type Product = Schemas["Product"];
/** Who bought a phone; for its seller, once paid. */
export type Buyer = Schemas["Buyer"];
/** Whom a phone was bought from; for its buyer, once paid. */
export type Seller = Buyer;
/** One buyer's order of one phone. The price is whole US dollars. */
export type Booking = Schemas["Booking"] & { seller?: Seller };
/** Where an order stands. */
export type BookingStatus = Booking["status"];
/** One person's complaint about one phone. */
export type Report = Schemas["Report"];
/** One line of the trail: what an admin or the operator did. */
export type Line = Schemas["Line"];

/** The conditions a phone may be in, best first. */
export const CONDITIONS = ["Excellent", "Good", "Fair"] as const satisfies Product["productCondition"][];

/** What PUT /bookings is sent: all that the spec's payload names, and the version of the phone that the buyer saw. */
export type BookingPayload = Required<Schemas["BookingRequest"]> & { version: number };
/** What POST /create-payment-intent is sent; the price is the booking's. */
export type PaymentOrder = Required<Schemas["PaymentOrder"]>;
/** With it the browser may confirm one payment. */
export type ClientSecret = Schemas["ClientSecret"];
/** What POST /payments is sent. */
export type PaymentRequest = Schemas["PaymentRequest"];
/** Its answer: the same for the same transaction. */
export type Paid = Schemas["Paid"];
/** What POST /reportedItems is sent: all that the spec's payload names. */
export type ReportPayload = Required<Schemas["NewReport"]>;
/** What POST /products is sent. */
export type NewProduct = Schemas["NewProduct"];
/** What PATCH /products/{id} is sent. */
export type ProductChange = Schemas["ProductChange"];

/** The answers of writes; a count is 0 where there was nothing to change. */
export type Inserted = Schemas["Inserted"];
export type Modified = Schemas["Modified"];
export type Deleted = Schemas["Deleted"];
/** Any of them. */
export type Acknowledged = Inserted | Modified | Deleted;
/** The body of a failure. */
export type Refusal = Schemas["Refusal"];

/** GET /config: what the server tells every client. */
export type Config = Schemas["Settings"];
/** Who may advertise: verified sellers, all sellers, or nobody. */
export type AdvertisePolicy = Config["advertise"];
/** A login the demo offers. */
export type DemoLogin = Schemas["DemoLogin"];
