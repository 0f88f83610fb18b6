import { api } from "./api";
import { bookingPath } from "./bookings";
import type { Address, Booking } from "./types";

/** What the answer depends on: each address has its own id, and the seller sees it between payment and refund. */
interface AddressArg extends Pick<Booking, "addressId" | "status"> {
  id: string;
  outcome: string | undefined;
}

const addressApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The address that a phone is sent to. It is not in lists and events. Null if the server leaves it out. */
    bookingAddress: build.query<Address | null, AddressArg>({
      query: ({ id }) => bookingPath(id),
      transformResponse: ({ address }: Booking) => address ?? null,
    }),
  }),
});

/** Loads the address of an order that has one. It is undefined until it is known. */
export function useBookingAddress({ _id: id, addressId, status, fulfilment, address }: Booking) {
  const query = addressApi.useBookingAddressQuery(
    { id, addressId, status, outcome: fulfilment?.outcome },
    { skip: addressId === undefined, refetchOnMountOrArgChange: true },
  );
  const { currentData, isError, isFetching, refetch } = query;
  // The order has it too until its first event.
  const known = currentData === undefined ? address : currentData;
  return { address: known, isError: isError && known === undefined, isFetching, refetch };
}
