import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

/** The maximum length of an error in the summary. */
const MAX_LENGTH = 400;

/** Repeats the errors of failed tests in short, as the last lines: the end of a long log then says what failed. */
export default class FailureSummary implements Reporter {
  private readonly failures: string[] = [];

  printsToStdio(): boolean {
    return false; // it adds to the other reporter's output
  }

  onTestEnd({ title, expectedStatus }: TestCase, { status, errors }: TestResult): void {
    if (status === expectedStatus || status === "skipped") return;
    for (const { message = "" } of errors) {
      const text = stripVTControlCharacters(message).replace(/\s+/g, " ").slice(0, MAX_LENGTH);
      this.failures.push(`✗ ${title}: ${text}`);
    }
  }

  onEnd(): void {
    for (const failure of this.failures) process.stdout.write(`${failure}\n`);
  }
}
