/** The name or the tooltip of a button that leads to the payment of a phone. */
export const payFor = (phone: string) => `Pay for ${phone}`;
