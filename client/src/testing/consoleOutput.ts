/** The output to console.error and console.warn; a test fails if there is any at its end. */
export const consoleOutput: string[] = [];

/** Removes expected output, e.g. React's report of an error that a boundary caught; fails if there is none. */
export function expectConsoleOutput(pattern: RegExp): void {
  const index = consoleOutput.findIndex((line) => pattern.test(line));
  if (index < 0) throw new Error(`Nothing on the console matches ${pattern}`);
  consoleOutput.splice(index, 1);
}
