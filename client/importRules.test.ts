import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "import-rules-"));
  cpSync("biome.json", join(project, "biome.json"));
});
afterEach(() => rmSync(project, { recursive: true }));

/** Lints a file in the given folder that imports the given module; true if the linter rejects the import. */
function isRejected(folder: string, specifier: string): boolean {
  mkdirSync(join(project, folder), { recursive: true });
  writeFileSync(join(project, folder, "x.ts"), `import { x } from "${specifier}";\nexport const y = x;\n`);
  const result = spawnSync(resolve("node_modules/.bin/biome"), ["lint", "--error-on-warnings", "."], {
    cwd: project,
    encoding: "utf8",
  });
  const isNamed = result.stderr.includes("noRestrictedImports");
  expect(result.status, result.stderr).toBe(isNamed ? 1 : 0);
  return isNamed;
}

test.each([
  ["src/lib", "@/ui"],
  ["src/lib", "@/api/session"],
  ["src/lib", "@/texts/ui"],
  ["src/texts", "@/ui"],
  ["src/texts", "@/api/types"],
  ["src/texts", "@/texts/language"],
  ["src/texts", "react"],
  ["src/ui", "@/api/session"],
  ["src/ui", "@/features/auth/SignIn"],
  ["src/api", "@/app/store"],
  ["src/features/booking", "@/features/catalog/card"],
  ["src/features/booking", "../catalog/card"],
  ["src/features/booking", "@/app/store"],
  ["src/features/catalog/cards", "../../booking/card"],
  ["src/features/catalog/cards", "@/features/booking/card"],
  ["src/app/live", "../store"],
])("%s may not import %s", (folder, specifier) => {
  expect(isRejected(folder, specifier)).toBe(true);
});

test.each([
  ["src/texts", "@/lib/savingPercent"],
  ["src/texts", "./language"],
  ["src/ui", "@/lib/savingPercent"],
  ["src/ui", "@/texts/ui"],
  ["src/api", "@/texts/api"],
  ["src/features/booking", "@/texts/booking"],
  ["src/features/booking", "@/ui"],
  ["src/features/booking", "@/api/session"],
  ["src/features/booking", "./endpoints"],
  ["src/features/catalog/cards", "../endpoints"],
  ["src/app", "@/features/booking/BookingDialog"],
])("%s may import %s", (folder, specifier) => {
  expect(isRejected(folder, specifier)).toBe(false);
});
