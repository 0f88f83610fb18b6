/** What the code under test wrote to console.error and console.warn; a test that leaves anything here fails. */
export const complaints: string[] = [];

/** Takes an expected complaint out, e.g. React's report of what an error boundary caught; fails if there is none. */
export function expectComplaint(words: RegExp): void {
  const place = complaints.findIndex((complaint) => words.test(complaint));
  if (place < 0) throw new Error(`Nothing on the console matches ${words}`);
  complaints.splice(place, 1);
}
