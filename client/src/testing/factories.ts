import type {
  AuditEntry,
  Booking,
  Brand,
  Config,
  Notification,
  Offer,
  Product,
  Report,
  SignedInUser,
  User,
  Wait,
} from "@/api/types";
import type { LiveEvent } from "@/lib/live";

let createdCount = 0;

/** An id like the server's: 24 hex digits that sort by creation time. */
export function newId(): string {
  createdCount += 1;
  return (
    (0x19a_0000_0000 + createdCount).toString(16).padStart(12, "0") +
    createdCount.toString(16).padStart(12, "0")
  );
}

/** The brand of the test phones by default. */
export const apple: Brand = {
  _id: "019a00000000a00000000001",
  name: "Apple",
  img: "/images/apple.webp",
  available: 43,
  fromPrice: 120,
  version: 1,
};

/** An available phone of a verified seller. */
export function aProduct(overrides: Partial<Product> = {}): Product {
  return {
    _id: newId(),
    version: 1,
    id: apple._id,
    name: "iPhone 6",
    brand: "Apple",
    img: "/images/iphone-6.webp",
    photos: [{ url: overrides.img ?? "/images/iphone-6.webp", alt: "" }],
    originalPrice: 649,
    resalePrice: 180,
    usedTime: "2 years",
    productCondition: "Good",
    sellerName: "Salma Rahman",
    sellerKey: `key of ${overrides.email ?? "salma@example.com"}`,
    email: "salma@example.com",
    location: "Dhaka",
    phone: "+880 1711 000000",
    description: "Battery at 91 %, no scratches",
    selling_post_date: "2026-11-02",
    verified: true,
    booked: false,
    advertise: false,
    sold: false,
    delivers: "both",
    offers: true,
    postage: 0,
    ...overrides,
  };
}

/** An unpaid order whose hold expires in an hour. Its total is that of its price and postage. */
export function aBooking(overrides: Partial<Booking> = {}): Booking {
  const { price = 180, postage = 0 } = overrides;
  return {
    _id: newId(),
    version: 1,
    productName: "iPhone 6",
    productID: newId(),
    id: apple._id,
    brand: "Apple",
    phone: "01711 000000",
    location: "Gulshan",
    price,
    postage,
    total: price + postage,
    delivers: "both",
    sendPostage: postage,
    delivery: "meet",
    img: "/images/iphone-6.webp",
    email: "karim@example.com",
    userName: "Karim Uddin",
    paid: false,
    status: "held",
    holdUntil: new Date(Date.now() + 3_600_000).toISOString(),
    bookedAt: new Date(Date.now() - 3_600_000).toISOString(),
    ...overrides,
  };
}

/** The first place on the waitlist of a phone whose hold expires in an hour. */
export function aWait(overrides: Partial<Wait> = {}): Wait {
  return {
    _id: newId(),
    version: 1,
    productID: newId(),
    productName: "iPhone 6",
    img: "/images/iphone-6.webp",
    price: 180,
    position: 1,
    heldUntil: new Date(Date.now() + 3_600_000).toISOString(),
    createdAt: new Date().toISOString(),
    ...overrides,
  };
}

/** A buyer's open offer for the seller's phone. */
export function anOffer(overrides: Partial<Offer> = {}): Offer {
  return {
    _id: newId(),
    version: 1,
    threadID: newId(),
    productID: newId(),
    productName: "Nokia 3310",
    img: "/images/nokia-3310.webp",
    listPrice: 180,
    price: 140,
    by: "buyer",
    role: "seller",
    status: "open",
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    createdAt: "2026-11-02T10:00:00Z",
    ...overrides,
  };
}

/** A buyer. */
export function aUser(overrides: Partial<User> = {}): User {
  return {
    _id: newId(),
    version: 1,
    name: "Karim Uddin",
    email: "karim@example.com",
    accountType: "User",
    ...overrides,
  };
}

/** A report of a phone. */
export function aReport(overrides: Partial<Report> = {}): Report {
  return {
    _id: newId(),
    version: 1,
    img: "/images/iphone-6.webp",
    productName: "iPhone 6",
    productID: newId(),
    id: apple._id,
    brand: "Apple",
    email: "karim@example.com",
    userName: "Karim Uddin",
    reason: "The photograph is not of this phone",
    caseID: newId(),
    ...overrides,
  };
}

/** An entry of the audit log: an admin has verified a seller. */
export function anAuditEntry(overrides: Partial<AuditEntry> = {}): AuditEntry {
  return {
    _id: newId(),
    version: 1,
    at: "2026-11-21T04:00:00Z",
    actorId: newId(),
    actor: "Rita",
    action: "verify-seller",
    target: "Salma Rahman",
    ...overrides,
  };
}

/** An unread notification of a seller: their phone was booked. */
export function aNotification(overrides: Partial<Notification> = {}): Notification {
  return {
    _id: newId(),
    version: 1,
    kind: "booked",
    text: "Karim Uddin has booked your iPhone 6",
    link: "/dashboard/myProducts",
    createdAt: "2026-11-21T04:00:00Z",
    ...overrides,
  };
}

/** The signed-in buyer of most tests. */
export const karim: SignedInUser = {
  uid: "u-karim",
  email: "karim@example.com",
  sellerKey: "key of karim@example.com",
  displayName: "Karim Uddin",
  photoURL: "",
  emailVerified: true,
  secondFactor: false,
};

/** The signed-in seller of most tests. */
export const salma: SignedInUser = {
  uid: "u-salma",
  email: "salma@example.com",
  sellerKey: "key of salma@example.com",
  displayName: "Salma Rahman",
  photoURL: "",
  emailVerified: true,
  secondFactor: false,
};

/** The default response of GET /config. */
export const config: Config = {
  product: "SecondRing",
  stripe: { publishableKey: "pk_sandbox", sandbox: true },
  google: false,
  imageHost: { url: "/images", key: "k-123" },
  contact: { email: "hello@example.com", phone: "+880 2 000000", location: "Dhaka, Bangladesh" },
  advertise: "verified",
  sellerContact: "shown",
  payouts: "manual",
  hold: 3600,
  sendWithin: 432_000,
  transit: 604_800,
  settleAfter: 259_200,
  turn: 900,
  offerHold: 43_200,
  verifiedText: "Show us your shop.",
};

/** A live event; each has the next position. */
export function anEvent(topic: string, type: string, data: { _id: string; version: number }): LiveEvent {
  createdCount += 1;
  return { topic, position: `e1-${createdCount}`, type, at: "2026-11-21T04:00:00Z", data: { ...data } };
}
