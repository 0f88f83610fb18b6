interface Props {
  address: { name: string; street: string; postcode: string; town: string };
}

/** The lines of an address, as on a parcel. */
export const addressLines = ({ name, street, postcode, town }: Props["address"]) =>
  `${name}\n${street}\n${postcode} ${town}`;

/** An address. One click selects all of it, so that it is easy to copy. */
export function PostalAddress({ address }: Props) {
  return (
    <address className="select-all whitespace-pre-line not-italic wrap-anywhere">
      {addressLines(address)}
    </address>
  );
}
