/** The output of the code under test to console.error and console.warn; a test that leaves any here fails. */
export const complaints: string[] = [];

/** Removes expected output, e.g. React's report of an error that a boundary caught; fails if there is none. */
export function expectComplaint(words: RegExp): void {
  const place = complaints.findIndex((complaint) => words.test(complaint));
  if (place < 0) throw new Error(`Nothing on the console matches ${words}`);
  complaints.splice(place, 1);
}
