// An admin's answer to the dispute of a payment at the buyer's bank.

export const title = "The answer to the bank";
export const answerBefore = (time: string) =>
  `The buyer disputes this payment at their bank. Answer before ${time}.`;
export const takesNone = "The buyer disputes this payment at their bank. The bank takes no answer.";
export const timeOver = (time: string) =>
  `The buyer disputes this payment at their bank. The time to answer ended on ${time}.`;
export const answering = "The answer is on its way to the bank.";
export const answeredOn = (time: string) => `Answered on ${time}. The bank decides now.`;

export const send = "Send what we know to the bank";
export const question = "Send what we know to the bank?";
export const once = "The bank takes one answer. It goes to the card provider, which passes it on:";
export const parts = [
  "the phone, its price, and the name and email address of the buyer",
  "when it was paid, sent with which tracking number, handed over with the code, and received",
  "the problem, the answer, the return and the decision, in the words of both sides and of the admin",
  "the photographs that both sides have shown",
  "the messages of the buyer and the seller about this phone",
];
export const notYet = "Not yet";
