/** Who is paid, or pays, and how much. */
interface Move {
  /** Written out, like "$170". */
  sum: string;
  seller: string;
  buyer: string;
}

/** In place of a name that is not known any more. */
export const theSeller = "the seller";
export const theBuyer = "the buyer";

/** The buttons that move money say what they do. */
export const releaseTo = ({ sum, seller }: Move) => `Release ${sum} to ${seller}`;
export const refundOf = ({ sum, buyer }: Move) => `Refund ${buyer} ${sum}`;
export const markPaidTo = ({ sum, seller }: Move) => `Mark ${sum} as paid to ${seller}`;
export const markPaidBackBy = ({ sum, seller }: Move) => `Mark ${sum} as paid back by ${seller}`;
