import * as t from "@/texts/catalog";
import { Button, useToast } from "@/ui";
import { ShareIcon } from "@/ui/icons";

/** Shares this page's URL by the system's share dialog, or copies it to the clipboard. */
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
      // Closing the share dialog is not an error.
      if (error instanceof DOMException && error.name === "AbortError") return;
      toast(t.notCopied, "error");
    }
  };
  return (
    <Button variant="quiet" onClick={() => void share()}>
      <ShareIcon />
      <span>{t.share}</span>
    </Button>
  );
}
