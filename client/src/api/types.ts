import type { components } from "./schema";

/** The types of the server's OpenAPI document (api/openapi.json). */
type Schemas = components["schemas"];

/** All data that is stored about a person, in the form of the export. */
export type PersonData = Schemas["Person"];
/** The body of POST /identity/leave. */
export type DeleteAccountBody = Schemas["LeaveBody"];

/** A user's role; an admin neither buys nor sells. */
export type Role = "admin" | "buyer" | "seller";

/** The signed-in user, from the identity provider. */
export type SignedInUser = Schemas["SignedInUser"];
/** A browser in which the user is signed in. */
export type DeviceSession = Schemas["DeviceSession"];
/** What an authenticator app needs for the second factor. */
export type NewSecondFactor = Schemas["SecondFactor"];
/** A user of the market; status is "verified" for a verified seller. */
export type User = Schemas["User"];
/** A brand, also called category. */
export type Brand = Schemas["Brand"];
/** One phone for sale. Prices are whole US dollars; contact fields are left out for a visitor. */
export type Product = Schemas["Product"];
/** The buyer of a phone; shown to its seller after the payment. */
type Buyer = Schemas["Buyer"];
/** The seller of a phone; shown to its buyer after the payment. */
export type Seller = Buyer;
/** One buyer's booking of one phone; the screens call it an order. The price is whole US dollars. Admins see the seller once it is paid. */
export type Booking = Schemas["Booking"] & { seller?: Seller };
/** What a seller has earned; all money is in cents. */
export type Earnings = Schemas["Earnings"];
/** One sale. */
export type Earning = Schemas["Earning"];
/** The link to Stripe's page on which a seller sets up their account. */
export type OnboardingLink = Schemas["OnboardingLink"];
/** What happens to an order after its payment. */
export type Fulfilment = Schemas["Fulfilment"];
/** The body of PUT /bookings/{id}/fulfilment. */
export type FulfilmentRequest = Schemas["FulfilmentRequest"];
/** The code that a buyer shows the seller when they meet. */
export type HandoverCode = Schemas["HandoverCode"];
/** A buyer's place on the waitlist of one phone. Its version is the phone's; the price is whole US dollars. */
export type Wait = Schemas["WaitlistEntry"];
/** The phones that a user watches. */
export type Watching = Schemas["Watching"] & { _id: string };
/** A saved search; its query is the parameters of a search. */
export type SavedSearch = Schemas["SavedSearch"];
/** The body of POST /searches. */
export type SavedSearchBody = Schemas["NewSearch"];
/** One user's report of one phone. */
export type Report = Schemas["Report"];
/** What was reported about one phone, person, picture or conversation, and what was decided; for admins. */
export type Case = Schemas["Case"];
/** The same with what was reported, as it was then. */
export type CaseDetail = Schemas["CaseDetail"];
/** A rule of conduct. */
export type Rule = Schemas["CaseReport"]["rule"];
/** The body of PUT /cases/{id}. */
export type CaseDecisionBody = Schemas["NewDecision"];
/** Why an admin removes a phone or a person. */
export type RemovalReason = Schemas["RemovalReason"];
/** A decision against the signed-in person. */
export type Decision = Schemas["Decision"];
/** One entry of the audit log: an action of an admin or the operator. */
export type AuditEntry = Schemas["AuditEntry"];
/** Something that has happened and concerns one person. */
export type Notification = Schemas["Notification"];

/** A conversation about one phone. */
export type Thread = Schemas["Thread"];
/** One line of it. */
export type Message = Schemas["Message"];
/** A buyer's offer for a phone; prices are whole US dollars. */
export type Offer = Schemas["Offer"];
/** The body of POST /offers. */
export type NewOffer = Schemas["NewOffer"];
/** The responses of offers. */
export type OfferMade = Schemas["OfferMade"];
export type OfferAnswered = Schemas["OfferAnswered"];
/** The body of PUT /offers/{id}. */
export type OfferAnswer = Schemas["OfferAnswer"];

/** Which notifications a user gets emails about, by kind. */
export type EmailSettings = Schemas["EmailSettings"];

/** The body of PUT /bookings: all fields of the spec's payload, and the version of the phone that the buyer saw. */
export type BookingPayload = Required<Schemas["BookingRequest"]> & { version: number };
/** Where a phone is sent to. */
export type Address = Schemas["Address"];
/** The body of PUT /bookings/{id}/delivery. */
export type DeliveryRequest = Schemas["DeliveryRequest"];
/** The body of POST /create-payment-intent; the price is the booking's, without the postage. */
export type PaymentOrder = Required<Schemas["PaymentOrder"]>;
/** The secret with which the browser confirms one payment. */
export type ClientSecret = Schemas["ClientSecret"];
/** The body of POST /payments. */
export type PaymentRequest = Schemas["PaymentRequest"];
/** The response of POST /payments; the same for each request with the same transaction. */
export type Paid = Schemas["Paid"];
/** What admins know of a person. */
export type PersonSummary = Schemas["PersonSummary"];
/** The texts that the admins keep. */
export type KeptTexts = Schemas["KeptTexts"];
/** The body of PUT /products/{id}/waitlist: what the booking needs when it is the buyer's turn. */
export type WaitPayload = Required<Schemas["WaitRequest"]>;
/** Its response. */
export type Waiting = Schemas["Waiting"];
/** The body of POST /reportedItems: all fields of the spec's payload. */
export type ReportPayload = Required<Schemas["NewReport"]>;
/** The body of POST /reports. */
export type RuleReport = Schemas["NewCaseReport"];
/** The body of POST /products. */
export type NewProduct = Schemas["NewProduct"];
/** The body of PATCH /products/{id}. */
export type ProductChange = Schemas["ProductChange"];

/** The responses to writes; a count is 0 if nothing changed. */
export type Inserted = Schemas["Inserted"];
export type Modified = Schemas["Modified"];
export type Deleted = Schemas["Deleted"];
/** Any of them. */
export type Acknowledged = Inserted | Modified | Deleted;

/** The response of GET /config. */
export type Config = Schemas["Settings"];
/** Who may advertise: verified sellers, all sellers, or no one. */
export type AdvertisePolicy = Config["advertise"];
/** A login of the demo. */
export type DemoLogin = Schemas["DemoLogin"];
