import { AnnouncerProvider, ToastProvider } from "@/ui";

/** The whole client. */
export function App() {
  return (
    <ToastProvider>
      <AnnouncerProvider>
        <h1>SecondRing</h1>
      </AnnouncerProvider>
    </ToastProvider>
  );
}
