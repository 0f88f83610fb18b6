const titles = { buyer: "Your order", seller: "Sale", admin: "Order" };
export const titleOf = (phone: string, side: keyof typeof titles) => `${titles[side]}: ${phone}`;
export const loading = "Loading the order";
export const notFound = "There is no such order";
export const notFoundLead = "Check the address, or find the order in your lists.";
export const notYours = "This order belongs to someone else";
export const notYoursLead = "If you have more than one account, log in with the other one.";
export const toDashboard = "Go to your dashboard";
export const loadFailed = (why: string) => `The order could not be loaded. ${why}`;

/** The summary. */
export const summary = "Summary";
export const seePhone = "See the phone's page";
export const price = "Price";
export const postage = "Postage";
export const total = "Total";
export const totalPaid = "Total paid";
export const orderId = "Order id";
export const transaction = "Transaction id";
export const print = "Print receipt";
/** Opens an email to us about the order, or the contact page. */
export const help = "Get help with this order";
export const helpSubject = (id: string) => `Help with order ${id}`;

/** How the buyer gets the phone. */
export const delivery = "Delivery";
export const deliveries = { meet: "Meet in person", send: "Sent by post" };
export const sendTo = "Send it to";
export const sentTo = "It is sent to";
export const copyAddress = "Copy the address";
export const addressCopied = "Address copied";
export const addressNotCopied = "The address could not be copied";
export const addressNotLoaded = "The address could not be loaded.";
export const addressDeleted = "The address was deleted 14 days after the order ended.";

/** The two sides, and how they reach one another. */
export const seller = "Seller";
export const buyer = "Buyer";
export const theSeller = "The seller";
export const theBuyer = "The buyer";
export const left = "This person has deleted their account.";

/** The timeline: what has happened, and what is still to come. */
export const timeline = "Timeline";
export const stillToCome = "(still to come)";
export const booked = "Booked";
export const paid = "Paid";
export const sent = "Sent by post";
export const sentWith = (carrier: string, tracking: string) => `${carrier}, number ${tracking}`;
export const toSend = "Sent by post, or handed over in person";
export const received = "Received by the buyer";
export const handedOver = "Handed over in person";
export const problem = "Problem reported by the buyer";
export const disputed = "Disputed at the buyer's bank";
export const disputeWon = "Dispute decided for the seller";
export const disputeLost = "Dispute decided for the buyer";
export const bankDecision = "Decision of the bank";
export const answered = "Answered by the seller";
export const decision = "Decision of an admin";
export const sentBack = "Sent back by the buyer";
export const toSendBack = "Sent back by the buyer, or handed over in person";
export const hasBack = "Received by the seller";
export const objected = "Objection of the seller";
export const completed = "Completed";
export const refunded = "Refunded to the buyer";
export const paidOut = "Paid out to the seller";
export const expired = "Expired before it was paid";
export const cancelled = "Cancelled before it was paid";
const reasons: Record<string, string> = {
  not_sent: "The phone was not sent in time.",
  seller_cancelled: "The seller could not send the phone.",
  not_returned: "The phone was not sent back in time.",
};
export const reason = (text: string) => reasons[text] ?? `Reason for the decision: ${text}`;

/**
 * What the headlines say: the names of the two sides, how the buyer gets the phone, what they paid, when the state of the
 * order ends, and until when the seller may answer a problem; "" if they have, or if it is over.
 */
export interface Words {
  seller: string;
  buyer: string;
  isSent: boolean;
  total: string;
  ends: string;
  answerBy: string;
  isLate: boolean;
  paidOut: string;
}
type Headline = (words: Words) => [title: string, text: string];

/** Of the phone of a booking that has ended. */
const nextOrFree = "Your phone goes to the next person in line, or is for sale again.";
const beingRefunded: Headline = ({ total }) => [
  "Your money is on its way back to you",
  `${total} goes back to the card that you paid with. Your bank may need some days to show it.`,
];
/** Whether the seller is still to answer. */
const awaited = (seller: string, answerBy: string, isLate: boolean) => {
  if (isLate) return `${seller} has not answered in time. `;
  return answerBy ? `We have asked ${seller} to answer by ${answerBy}. ` : "";
};
const over: Headline = () => ["This order is completed", "There is nothing left to do."];

/** What happens next, who does it, and until when; for each side. */
export const headlines = {
  buyer: {
    held: () => ["Pay to keep this phone", "It is held for you until the time is up."],
    expired: () => ["This booking has expired", "The time to pay ran out, so the phone went back on sale."],
    cancelled: () => ["This booking was cancelled", "You have nothing to pay."],
    waiting: ({ seller, isSent, ends }) => [
      `Next: get your phone from ${seller}`,
      `${isSent ? "It will be sent to your address." : "Agree on a time and a place to meet."} Your money stays with us until you have the phone. If it is not sent or handed over by ${ends}, you get your money back.`,
    ],
    sent: ({ ends }) => [
      "Your phone is on its way",
      `Tell us when you have it, or report a problem by ${ends}. If you do neither, the seller gets the money.`,
    ],
    received: ({ seller, ends }) => ["You have the phone", `On ${ends} the money goes to ${seller}.`],
    problem: ({ seller, answerBy, isLate, ends }) => [
      "We are looking into the problem",
      `${awaited(seller, answerBy, isLate)}We will decide by ${ends} and notify you. Your money stays with us until then.`,
    ],
    returning: ({ seller, total, ends }) => [
      `Send the phone back to ${seller}`,
      `Send it back, or hand it over in person, by ${ends}. When ${seller} has it, you get ${total} back. If you do neither by then, ${seller} gets the money.`,
    ],
    sentBack: ({ seller, total, ends }) => [
      `The phone is on its way back to ${seller}`,
      `You get ${total} back when ${seller} has it, and on ${ends} at the latest. If ${seller} says that something is wrong with it, we decide.`,
    ],
    disputed: () => [
      "This payment is disputed at your bank",
      "The order waits until the bank has decided. Keep the phone safe if you have it.",
    ],
    partLost: () => [
      "Your bank has returned part of your money",
      "We will decide about the order and notify you. Keep the phone safe if you have it.",
    ],
    released: ({ seller }) => ["This order is completed", `${seller} gets the money. Enjoy your phone.`],
    paidOut: ({ seller }) => ["This order is completed", `${seller} has been paid. Enjoy your phone.`],
    refunding: beingRefunded,
    refunded: ({ total }) => [
      "Your money was refunded",
      `${total} went back to the card that you paid with. Your bank may need some days to show it.`,
    ],
    over,
  },
  seller: {
    held: ({ buyer }) => [`${buyer} has booked your phone`, "Keep the phone until the buyer has paid."],
    expired: () => ["This booking has expired", nextOrFree],
    cancelled: () => ["This booking was cancelled", nextOrFree],
    waiting: ({ buyer, isSent, ends }) => [
      isSent ? `Send the phone to ${buyer}` : `Meet ${buyer} and hand over the phone`,
      `The buyer has paid, and ${isSent ? "the address is on this page" : "wants to meet you"}. We keep the money until the buyer has the phone. Then it is yours. If you do not send it or hand it over by ${ends}, the buyer gets the money back.`,
    ],
    sent: ({ buyer, ends }) => [
      `The phone is on its way to ${buyer}`,
      `You have nothing to do. The order is completed when the buyer has the phone, and on ${ends} at the latest if no problem is reported.`,
    ],
    received: ({ buyer, ends }) => [
      `${buyer} has the phone`,
      `The money is yours on ${ends}, unless a problem is reported.`,
    ],
    problem: ({ buyer, answerBy, ends }) => [
      `${buyer} has reported a problem`,
      `${answerBy ? `Please answer by ${answerBy}. ` : ""}We will decide by ${ends} and notify you. The money stays with us until then. You can write to the buyer.`,
    ],
    returning: ({ buyer, total, ends }) => [
      `${buyer} returns the phone to you`,
      `It is sent back, or handed over in person, by ${ends}. When you have it, ${total} goes back to the buyer. If it is not returned by then, the money is yours.`,
    ],
    sentBack: ({ total, ends }) => [
      "Check the returned phone",
      `Tell us when you have it, or say what is wrong with it, by ${ends}. If you do neither, ${total} goes back to the buyer then.`,
    ],
    disputed: ({ buyer }) => [
      `${buyer} disputes the payment at their bank`,
      "The money waits until the bank has decided. We will notify you. Keep the phone if you still have it.",
    ],
    partLost: ({ buyer }) => [
      `The bank has returned part of the money to ${buyer}`,
      "We will decide about the order and notify you. Keep the phone if you still have it.",
    ],
    released: () => ["The sale is completed", "The money is yours. You are notified when it is paid out."],
    paidOut: ({ paidOut }) => ["You have been paid", `The money was paid out to you on ${paidOut}.`],
    refunding: () => ["The sale was refunded", "The money goes back to the buyer."],
    refunded: () => ["The sale was refunded", "The money went back to the buyer."],
    over,
  },
  admin: {
    held: ({ buyer }) => [`${buyer} has to pay`, "The phone is held until the time is up."],
    expired: () => ["This booking has expired", "It was not paid in time."],
    cancelled: () => ["This booking was cancelled", "It was not paid."],
    waiting: ({ seller, buyer, isSent, ends }) => [
      isSent ? `${seller} sends ${buyer} the phone` : `${seller} meets ${buyer}`,
      `We keep the money until the buyer has the phone. If it is not sent or handed over by ${ends}, the buyer is refunded.`,
    ],
    sent: ({ buyer, ends }) => [
      `The phone is on its way to ${buyer}`,
      `The order is completed when the buyer has it, and on ${ends} at the latest if no problem is reported.`,
    ],
    received: ({ buyer, ends }) => [
      `${buyer} has the phone`,
      `The order is completed on ${ends} if no problem is reported.`,
    ],
    problem: ({ buyer, ends }) => [
      `Decide on the problem that ${buyer} reported`,
      `Ask both sides if you need to. Please decide by ${ends}. We keep the money until you do, and remind you daily after that.`,
    ],
    returning: ({ seller, buyer, total, ends }) => [
      `${buyer} returns the phone to ${seller}`,
      `When ${seller} has it, ${total} goes back to the buyer. If it is not returned by ${ends}, the seller gets the money.`,
    ],
    sentBack: ({ seller, total, ends }) => [
      `The phone is on its way back to ${seller}`,
      `${total} goes back to the buyer when ${seller} has it, and on ${ends} at the latest. If ${seller} objects, you decide.`,
    ],
    disputed: ({ buyer }) => [
      `${buyer} disputes the payment at their bank`,
      "The money is frozen until the bank has decided.",
    ],
    partLost: ({ buyer }) => [
      `Decide about this order: the bank has returned part of the money to ${buyer}`,
      "Ask both sides if you need to. We keep the rest until you decide.",
    ],
    released: ({ seller }) => ["This order is completed", `${seller} has not been paid yet.`],
    paidOut: ({ paidOut }) => ["This order is completed", `The money was paid out on ${paidOut}.`],
    refunding: ({ buyer }) => ["This order is refunded", `The money goes back to ${buyer}.`],
    refunded: ({ buyer }) => ["This order was refunded", `The money went back to ${buyer}.`],
    over,
  },
} satisfies Record<string, Record<string, Headline>>;
export const pay = "Pay";

/** The steps of the seller. */
export const sendTitle = "Send the phone by post";
export const sendLead = "Send it with a tracking number, so that both of you can see where it is.";
export const carrier = "Carrier";
export const tracking = "Tracking number";
export const send = "I have sent it";
export const sendQuestion = "Have you sent the phone?";
export const sendConsequence = (carrier: string, tracking: string) =>
  `The buyer is notified at once: ${carrier}, number ${tracking}. You can correct both until the buyer has the phone.`;
export const correctTracking = "Correct the tracking number";
export const correctTrackingLead = "The buyer is told the new number at once.";
export const correct = "Correct";
export const trackingUnchanged = "Change the carrier or the tracking number";
export const trackingCorrected = "The tracking number has been corrected.";
export const handTitle = (buyer: string) => `Meet ${buyer}`;
export const handLead =
  "The buyer checks the phone, then shows you a six-digit code. Enter it to complete the order.";
export const handFromLink = "The buyer's code is filled in. Confirm when the buyer has the phone.";
export const code = "Code";
export const codeHint = (owner: "buyer" | "seller") =>
  `The six digits on the ${owner}'s screen, or scan the QR code there`;
export const sixDigits = "The code has six digits";
export const hand = "Confirm the handover";
export const required = (label: string) => `${label} is required`;

/** The steps of the buyer. */
export const meetTitle = (seller: string) => `When you meet ${seller}`;
export const meetLead =
  "Check the phone first. Then show the code to the seller: when the seller enters it, the order is completed and the seller gets the money.";
export const showCode = "Show the handover code";
export const newCode = "Show a new code";
/** Who enters the code, and who shows it: while the phone is returned, the seller shows it. */
export const codeLead = (reader: "buyer" | "seller") =>
  `The ${reader} enters these digits, or scans the QR code.`;
export const codeExpired = "This code has expired.";
export const qrCode = (reader: "buyer" | "seller") =>
  `QR code for the ${reader}: it opens this order with the code`;
export const haveTitle = "When you have the phone";
export const haveLead = "Tell us if everything is fine. If something is wrong, report it before you confirm.";
export const haveIt = "I have received it";
export const receivedQuestion = "Have you received the phone?";
export const receivedConsequence =
  "Check it first. Afterwards you have some days to report a problem; then the seller gets the money. This can't be undone.";
export const notYet = "Not yet";
export const wrongTitle = "Is something wrong?";
export const wrongLead = "Report it before the time is up. After that the seller gets the money.";
export const waitTitle = "Does it take longer?";
export const waitLead = (ends: string) =>
  `Without the phone you get your money back on ${ends}. You can give the seller more time, once.`;
export const giveTime = "Give the seller more time";
export const waitQuestion = "Give the seller more time?";
export const waitConsequence = "The seller is notified. You can do this once, and you can't take it back.";
export const cannotTitle = "You cannot send it?";
export const cannotLead = "Cancel the order now rather than let the buyer wait.";
export const cancel = "Cancel";

/** The decision of an admin. */
export const decideTitle = "Decide";
export const decideLead = "Both sides will see the reason. The decision can't be undone.";

/** The receipt, on paper. */
export const receipt = "Receipt";
export const phone = "Phone";
export const paidOn = "Paid on";
export const refundedOn = "Refunded on";
export const state = "State";
export const statePaid = "Paid in full";
export const stateDisputed = "Paid in full; disputed at the buyer's bank";
export const stateRefunding = "Paid in full; the refund is on its way";
export const stateRefunded = "Refunded in full";
