import { plural } from "./language";
import { allBuyers, allSellers } from "./screenNames";

export { operator } from "./auditTrail";

/** An admin's page of a person. */
export const titleOf = (name: string) => `Person: ${name}`;
export const loading = "Loading the person";
export const notFound = "There is no such person";
export const notFoundLead = "The account may have been deleted. Find people in All Buyers and All Sellers.";
export const lists = { allBuyers, allSellers };
export const types = { User: "Buyer", Seller: "Seller" };
export const admin = "Admin";
export const verified = "Verified";
export const confirmed = "Email confirmed";
export const unconfirmed = "Email not confirmed";
export const removed = "Deleted";
export const since = (day: string) => `Here since ${day}`;
export const decide = "Verify or delete in the list";
export const phones = "Phones";
export const phonesNote = "offered or sold";
export const bought = "Bought";
export const seeOrders = "See the orders";
export const sold = "Sold";
export const cancelled = (count: number) => `${count} cancelled by the seller`;
export const reportsAbout = "Reports about their phones";
export const reportsBy = (count: number) =>
  plural(count, { one: "# report by them", other: "# reports by them" });
export const decisions = "What admins decided";
export const noDecisions = "Nothing yet.";
export const byAt = (name: string, at: string) => `${name}, ${at}`;
