import { useState } from "react";
import { useForm } from "react-hook-form";
import { useBookingAddress } from "@/api/bookingAddress";
import { toApiError } from "@/api/errors";
import type { Address, Booking, DeliveryRequest } from "@/api/types";
import { useFormErrors } from "@/api/useFormErrors";
import { useChooseDeliveryMutation, useRememberedAddressQuery } from "./endpoints";
import { hasDelivery } from "./hasDelivery";
import { usePrefilled } from "./usePrefilled";

/** The values of the address form; the names are those of the payload. */
export interface AddressValues {
  address: Address;
  remember: boolean;
}

const FIELDS = ["address.name", "address.street", "address.postcode", "address.town"] as const;
const EMPTY: AddressValues = { address: { name: "", street: "", postcode: "", town: "" }, remember: false };

/** The choice of the delivery, and its address form. */
export type DeliveryControls = ReturnType<typeof useDelivery>;

/** How the buyer gets the phone: what the order has, what is chosen here and not saved yet, and the address form. */
export function useDelivery(booking: Booking) {
  const { _id: id, version, delivery: stored, addressId, userName } = booking;
  const [put, { isLoading }] = useChooseDeliveryMutation();
  /** Chosen here, and not what the order has. */
  const [wanted, setWanted] = useState<Booking["delivery"] | null>(null);
  const [isEditing, setEditing] = useState(false);
  /** The version of the order when a choice was saved: a later one has the choice. */
  const [savedAt, setSavedAt] = useState<number | null>(null);
  const [hasSaved, setHasSaved] = useState(false);
  const form = useForm<AddressValues>({ defaultValues: EMPTY });
  const { failure, showError, clearFailure } = useFormErrors(form.setError, FIELDS);

  const endSaving = () => {
    setSavedAt(null);
    setWanted(null);
    setEditing(false);
  };
  if (savedAt !== null && savedAt !== version) endSaving();
  if (wanted === stored) setWanted(null);

  const delivery = wanted ?? stored;
  const showsForm = delivery === "send" && (wanted !== null || addressId === undefined || isEditing);
  const saved = useBookingAddress(booking);
  const { currentData, isFetching, isError } = useRememberedAddressQuery(undefined, {
    skip: !showsForm,
    refetchOnMountOrArgChange: true,
  });
  const remembered = isFetching || isError ? undefined : currentData;
  usePrefilled(form, { isShown: showsForm, name: userName, saved: saved.address, remembered });

  /** Resolves to whether the choice is saved. */
  const save = async (choice: DeliveryRequest): Promise<boolean> => {
    clearFailure();
    const { data, error } = await put({ id, ...choice });
    if (error) showError(toApiError(error));
    // Without a change there is no later version.
    else if (data.modifiedCount === 0) endSaving();
    else setSavedAt(version);
    return !error;
  };
  const isBusy = isLoading || savedAt !== null;
  const choose = async (choice: Booking["delivery"]) => {
    if (isBusy || choice === delivery) return;
    clearFailure();
    setWanted(choice);
    if (choice === "meet" && stored !== "meet" && !(await save({ delivery: "meet" }))) setWanted(null);
  };
  const saveAddress = form.handleSubmit(async ({ address, remember }) => {
    // Nothing is forgotten before it is known.
    const isDecided = remember || remembered !== undefined;
    const choice: DeliveryRequest = { delivery: "send", address, ...(isDecided && { remember }) };
    if (!(await save(choice))) return;
    setHasSaved(true);
  });
  const edit = () => {
    if (saved.address) form.reset({ address: saved.address, remember: form.getValues("remember") });
    setEditing(true);
  };
  return {
    delivery,
    choose,
    form,
    saveAddress,
    showsForm,
    saved,
    /** An address was saved on this screen. */
    hasSaved,
    /** Whether the address form replaces a saved address. */
    isEditing,
    edit,
    keep: () => setEditing(false),
    failure,
    isBusy,
    /** Whether the order has what is chosen here. */
    isComplete: !isBusy && wanted === null && !showsForm && hasDelivery(booking),
  };
}
