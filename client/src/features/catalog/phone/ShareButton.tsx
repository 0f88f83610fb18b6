import * as t from "@/texts/catalog";
import { Button, useToast } from "@/ui";
import { ShareIcon } from "@/ui/icons";

/** Hands this page's address on: by the system's own means, else to the clipboard. */
export function ShareButton({ title }: { title: string }) {
  const toast = useToast();
  const share = async () => {
    const url = window.location.origin + window.location.pathname;
    try {
      if (navigator.share) {
        await navigator.share({ title, url });
        return;
      }
      await navigator.clipboard.writeText(url);
      toast(t.copied);
    } catch (error) {
      // Closing the system's sheet is no failure.
      if (error instanceof DOMException && error.name === "AbortError") return;
      toast(t.notCopied, "error");
    }
  };
  return (
    <Button variant="quiet" onClick={() => void share()}>
      <ShareIcon />
      {t.share}
    </Button>
  );
}
