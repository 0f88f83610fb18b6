import { expect, type Page } from "@playwright/test";
import { test as base, type People } from "../fixtures";
import type { Market } from "./market";
import { type Brand, Person, type Phone } from "./person";
import { checkScreenFromStart } from "./screenChecks";
import { SOAK } from "./soak";

/** The data that exist before a screen is opened. */
export interface ScreenData {
  market: Market;
  /** A brand with few phones, but more than five. */
  brand: Brand;
  /** An available phone of it. */
  phone: Phone;
  /** The brand of the phones that a screen adds. */
  otherBrand: Brand;
  people: People;
  unique: (name: string) => string;
}

/** The arguments of the functions that prepare and open a screen. */
export interface ScreenContext extends ScreenData {
  page: Page;
  /** The user; undefined for a visitor. */
  user: Person | undefined;
  /** Opens another window as a visitor. */
  visit: () => Promise<Page>;
}

/** A login of the demo. */
type Role = "buyer" | "seller-verified" | "seller" | "admin";

/** One screen: its user, the data that it needs, and how it is opened and completely loaded. */
export interface Screen {
  user?: Role | ((data: ScreenData) => Promise<Person>);
  /** Runs once. Its result is passed to `show`. */
  prepare?: (context: ScreenContext) => Promise<string>;
  /** Runs for each width. */
  show: (context: ScreenContext, prepared: string) => Promise<void>;
}

/** Uses the brand with the fewest phones: a hundred cards are slower and show nothing else. */
const test = base.extend<object, { demoData: Pick<ScreenData, "brand" | "phone" | "otherBrand"> }>({
  demoData: [
    async ({ adminUser }, use) => {
      const all = await Promise.all(
        (await adminUser.brands()).map(async (brand) => ({
          brand,
          phones: await adminUser.request<(Phone & { booked: boolean })[]>("get", `/categories/${brand._id}`),
        })),
      );
      const [smallest, next] = all
        .filter(({ phones }) => phones.length > 5)
        .sort((one, other) => one.phones.length - other.phones.length);
      const phone = smallest?.phones.find(({ booked }) => !booked);
      if (!smallest || !next || !phone) throw new Error("the demo has free phones of every brand");
      await use({ brand: smallest.brand, phone, otherBrand: next.brand });
    },
    { scope: "worker" },
  ],
});

/** The most frequently used screens: `make test` checks these, `make soak` all. */
const FREQUENT = new Set([
  "home-signed-in",
  "category",
  "phone-of-the-demo",
  "booking-dialog",
  "login",
  "my-products",
]);

/** Declares one test for each of these screens. */
export function testScreens(screens: Record<string, Screen>): void {
  for (const [name, { user, prepare, show }] of Object.entries(screens)) {
    const title = `${name} loads without layout shifts, is accessible and fits at each width, light and dark`;
    test(title, { tag: FREQUENT.has(name) ? [] : [SOAK] }, async ({
      market,
      demoData,
      people,
      unique,
      visit,
      problems,
    }) => {
      // Three page loads, six screenshots and six axe runs.
      test.slow();
      // Some screens show errors.
      problems.expect(/status of (40[14]|422) /, /ERR_FAILED/, /Failed to fetch dynamically/);
      const data = { market, ...demoData, people, unique };
      const person =
        typeof user === "function" ? await user(data) : user && (await Person.demo(market, user));
      const context: ScreenContext = { ...data, page: await visit(person), user: person, visit };
      const prepared = (await prepare?.(context)) ?? "";
      await checkScreenFromStart(context.page, name, () => show(context, prepared));
    });
  }
}

/** Waits for a heading. */
export const expectHeading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole("heading", { name }).first()).toBeVisible();

/** Opens an address and waits for its heading. */
export async function openScreen(page: Page, path: string, name: string | RegExp): Promise<void> {
  await page.goto(path);
  await expectHeading(page, name);
}
