import { dateFormat, money } from "./language";

export const title = "Order";
export const titleOf = (phone: string) => `Order of ${phone}`;
export const loading = "Loading the order";
export const notFound = "There is no such order";
export const notYours = "This order belongs to someone else";
export const loadFailed = (why: string) => `The order could not be loaded. ${why}`;
export const price = (dollars: number) => money(dollars);
export const paidAmount = "Amount paid";
export const transaction = "Transaction id";
export const seller = "Seller";
export const buyer = "Buyer";
export const print = "Print receipt";

const moment = dateFormat({
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
export const at = (time: string) => moment(new Date(time));

export const timeline = "What has happened";
export const paid = "Paid";
export const sent = (carrier: string, tracking: string) => `Sent with ${carrier}, number ${tracking}`;
export const received = "Received by the buyer";
export const handedOver = "Handed over in person";
export const problem = "The buyer reported a problem";
export const completed = "Completed: the money goes to the seller";
export const refunded = "Refunded: the money goes back to the buyer";
export const reason = (text: string) => `Reason of the admin: ${text}`;

export const next = "What happens next";
export const nextWaiting = "The seller sends the phone by post or hands it over in person.";
export const nextSent = "The buyer confirms that the phone has arrived, or reports a problem.";
export const until = (time: string) => `Without a problem the order is completed on ${at(time)}.`;
export const nextReceived = "The order is being completed. Nobody has to do anything.";
export const nextProblem = "An admin decides. The money is kept until then.";
export const nextSettled = "The order is over. Nobody has to do anything.";
export const notPaid = "This order is not paid.";

export const sendTitle = "Send by post";
export const carrier = "Carrier";
export const tracking = "Tracking number";
export const send = "The phone is sent";
export const handTitle = "Hand over in person";
export const code = "Code";
export const codeHint = "The six digits that the buyer shows you";
export const hand = "Confirm the handover";
export const required = (label: string) => `${label} is required`;
export const showCode = "Show handover code";
export const newCode = "New code";
export const codeLead = "Show this code to the seller when you have the phone in your hands.";
export const haveIt = "I have received it";
export const receivedQuestion = "Have you received the phone?";
export const receivedConsequence = "The order is completed then, and the money goes to the seller.";
export const cancel = "Cancel";
export const problemTitle = "Report a problem";
export const problemLead = "The money is kept until an admin decides.";
export const reasonLabel = "Reason";
export const decideTitle = "Decide";
export const decideLead = "Both sides read the reason. The decision can't be undone.";
export const outcome = "Decision";
export const outcomes = { release: "Release the money to the seller", refund: "Refund the buyer" };
export const confirmDecision = "Do you want to decide this way?";
