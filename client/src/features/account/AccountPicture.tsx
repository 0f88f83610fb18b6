import { type ChangeEvent, useRef, useState } from "react";
import { useDispatch } from "react-redux";
import { toApiError } from "@/api/errors";
import { drawJpeg } from "@/api/images/prepareImage";
import { useUploadImage } from "@/api/images/useUploadImage";
import { useMe } from "@/api/me";
import { userLoaded } from "@/api/sessionSlice";
import { IMAGE_TYPES } from "@/lib/uploadState";
import * as t from "@/texts/account";
import { Avatar, Button, useToast } from "@/ui";
import { useChangeProfileMutation } from "./endpoints";

/** The longest side of the picture, pixels: it is shown small, on every screen. */
const MAX_SIDE = 320;

/** The picture of the account, with the buttons that choose, change and remove it. */
export function AccountPicture() {
  const me = useMe();
  const { set, isBusy, failure } = usePicture();
  const input = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  if (!me) return null;
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    // Otherwise the same file could not be chosen again.
    currentTarget.value = "";
    if (file) void set(file);
  };
  const remove = async () => {
    await set(null);
    chooseButton.current?.focus();
  };
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4 *:first:size-16">
      <Avatar src={me.photoURL} name={me.displayName || me.email} />
      <div className="grid gap-1">
        <div className="flex flex-wrap gap-2">
          <Button
            ref={chooseButton}
            size="sm"
            variant="secondary"
            busy={isBusy}
            onClick={() => input.current?.click()}
          >
            {me.photoURL ? t.changePhoto : t.choosePhoto}
          </Button>
          {me.photoURL && (
            <Button size="sm" variant="quiet" disabled={isBusy} onClick={() => void remove()}>
              {t.removePhoto}
            </Button>
          )}
        </div>
        <p className="text-muted text-sm">{t.photoHint}</p>
      </div>
      {failure && (
        <p role="alert" className="col-span-2 text-danger">
          {failure}
        </p>
      )}
      <input ref={input} type="file" accept={IMAGE_TYPES} hidden onChange={choose} />
    </div>
  );
}

/** Uploads and stores the picture; null removes it. */
function usePicture() {
  const upload = useUploadImage("account");
  const [change] = useChangeProfileMutation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const dispatch = useDispatch();
  const toast = useToast();
  const set = async (file: File | null): Promise<void> => {
    setBusy(true);
    setFailure("");
    try {
      const photoURL = file ? await upload(await smallOf(file), new AbortController().signal, () => {}) : "";
      dispatch(userLoaded(await change({ photoURL }).unwrap()));
      toast(file ? t.photoSaved : t.photoRemoved);
    } catch (reason) {
      setFailure(toApiError(reason).message);
    }
    setBusy(false);
  };
  return { set, isBusy, failure };
}

/** A small copy of the picture, or the file itself if this browser cannot draw it: its upload then says why. */
async function smallOf(file: File): Promise<File> {
  const drawn = await drawJpeg(file, MAX_SIDE).catch(() => file);
  return new File([drawn], file.name);
}
