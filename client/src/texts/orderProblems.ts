import { number } from "./language";

/** What the buyer's problem is about. */
export const categories = {
  not_arrived: "It has not arrived",
  not_as_described: "It is not as described",
  damaged: "It is damaged, or something does not work",
  locked: "It is locked, or linked to somebody else's account",
  other: "Something else",
};
export const category = "What is the problem?";
export const categoryMissing = "Choose what the problem is";

/** The steps that need words: of the buyer who reports a problem, and of the seller. */
export const steps = {
  problem: {
    title: "Report a problem",
    lead: "The money stays with us until an admin has decided. The seller will see what you write, and can answer. This can't be undone.",
    label: "What is wrong?",
    hint: "Say what you expected and what you got",
    missing: "Say what is wrong",
  },
  cancel: {
    title: "Cancel this order",
    lead: "The buyer gets the money back and will see what you write. The phone does not go back on sale. This can't be undone.",
    label: "Why can you not send it?",
    hint: "For example: it broke, it is lost, it was sold elsewhere",
    missing: "Say why you cannot send it",
  },
  answer: {
    title: "Answer the problem",
    lead: "The buyer and an admin will see your answer. You can answer once, and you can't change it later.",
    label: "Your answer",
    hint: "For example: how the phone was when you gave it away, or what you suggest",
    missing: "Write your answer",
  },
  object: {
    title: "Something is wrong with it",
    lead: "The money stays with us, and an admin decides who gets it. The buyer will see what you write. This can't be undone.",
    label: "What is wrong with the returned phone?",
    hint: "For example: it did not arrive, it is damaged, it is another phone",
    missing: "Say what is wrong with the returned phone",
  },
};

/** Choosing photographs. */
export const photos = "Photographs";
export const addPhotos = "Add photographs";
export const photosHint = (max: number) =>
  `Up to ${number(max)}. Only the buyer, the seller and our admins see them`;
export const tooManyPhotos = (max: number, rejected: number) =>
  `Up to ${number(max)} photographs: ${number(rejected)} not added`;

/** What both sides have said, in the order of time. */
export const history = "What was said";
export const problem = "Problem";
export const problemBy = (buyer: string) => `Problem reported by ${buyer}`;
export const answerOf = (seller: string) => `Answer from ${seller}`;
export const returnedBy = (buyer: string) => `Sent back by ${buyer}`;
export const objectionOf = (seller: string) => `Objection from ${seller}`;
export const cancelledBy = (seller: string) => `Cancelled by ${seller}`;
export const noAnswer = (seller: string, until: string) =>
  `No answer from ${seller} yet, expected by ${until}.`;
export const lateAnswer = (seller: string) => `${seller} has not answered in time.`;

/** The description of a photograph. */
export const photoOf = {
  problem: (place: number) => `Photograph ${number(place)} of the problem, by the buyer`,
  answer: (place: number) => `Photograph ${number(place)} of the answer, by the seller`,
  objection: (place: number) => `Photograph ${number(place)} of the returned phone, by the seller`,
};
export const loadingPhoto = (photo: string) => `Loading: ${photo}`;
export const notLoaded = "Not loaded";
export const tryAgain = "Try again";
export const loadAgain = (photo: string) => `Load again: ${photo}`;

/** The answer of the seller. */
export const answerTitle = "Your side";
export const answerLead =
  "Say what happened, with photographs if you have some. Without an answer we decide by what the buyer says.";

/** The return: the buyer's steps. */
export const sendBackTitle = "Send the phone back";
export const sendBackLead = (seller: string, ends: string) =>
  `Ask ${seller} for the address, and send it with a tracking number by ${ends}. After that ${seller} gets the money.`;
export const sentBack = "I have sent it back";
export const sentBackQuestion = "Have you sent the phone back?";
export const sentBackConsequence = (carrier: string, tracking: string) =>
  `The seller is notified at once: ${carrier}, number ${tracking}. You can't change it later.`;
export const meetInstead = "Meet instead";
export const meetInsteadLead = (seller: string, total: string) =>
  `${seller} checks the phone, then shows you a six-digit code. Enter it, and ${total} goes back to you at once.`;
export const returnFromLink = (total: string) =>
  `The seller's code is filled in. Confirm when the seller has the phone, and ${total} goes back to you.`;

/** The return: the seller's steps. */
export const meetTitle = (buyer: string) => `If you meet ${buyer}`;
export const meetLead = (total: string) =>
  `Check the phone first. Then show the code to the buyer: when the buyer enters it, ${total} goes back to the buyer.`;
export const checkTitle = "When you have the phone";
export const checkLead = (total: string, ends: string) =>
  `If you do nothing, ${total} goes back to the buyer on ${ends}. If something is wrong with the phone, say so before that.`;
export const haveItBack = "I have it back";
export const haveItBackQuestion = "Do you have the phone back?";
export const haveItBackConsequence = (total: string) =>
  `Check it first. ${total} goes back to the buyer at once. This can't be undone.`;
