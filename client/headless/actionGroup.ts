import { api } from "@/api/api";
import { toApiError } from "@/api/errors";
import type { Brand, Product } from "@/api/types";
import { allBrands } from "@/features/catalog/endpoints";
import { type ActionResult, pick, type RandomNumbers } from "./environment";
import type { Page } from "./page";
import { brandPage, type View } from "./views";

export const NOT_POSSIBLE: ActionResult = { status: null };

type Action = (random: RandomNumbers, args: Record<string, string>) => Promise<ActionResult>;

type Endpoint = { initiate: (arg: unknown) => unknown };

/** The actions of one subject, by name, and what the actions of all subjects use. */
export abstract class ActionGroup {
  abstract readonly actions: Record<string, Action>;
  protected brands: Brand[] = [];

  constructor(protected readonly page: Page) {}

  protected get screen() {
    return this.page.screens[0];
  }

  protected get email(): string {
    return this.page.me?.email ?? "";
  }

  /** Runs one of the client's calls. */
  protected async call(endpoint: string, arg: unknown): Promise<ActionResult & { data?: unknown }> {
    const { initiate } = (api.endpoints as unknown as Record<string, Endpoint>)[endpoint] as Endpoint;
    const answer = await (this.page.store.dispatch(initiate(arg) as never) as unknown as Promise<{
      data?: unknown;
      error?: unknown;
    }>);
    if (answer.error === undefined) return { status: 200, data: answer.data };
    const { status, code } = toApiError(answer.error);
    return { status, code };
  }

  protected async openViews(...views: View[]): Promise<ActionResult> {
    this.page.openViews(...views);
    await Promise.all(this.page.screens.map((screen) => screen.ready()));
    return { status: 200 };
  }

  protected async allBrands(): Promise<Brand[]> {
    if (this.brands.length === 0) {
      const { data } = await this.call(allBrands.name, undefined);
      this.brands = (data as Brand[] | undefined) ?? [];
    }
    return this.brands;
  }

  /** The entities of the open views with these names. */
  protected entitiesOf<T>(...names: string[]): T[] {
    const screens = this.page.screens.filter(({ view }) => names.includes(view.name));
    return screens.flatMap(({ list }) => Object.values(list?.entities ?? {}) as unknown as T[]);
  }

  protected shownPhones(): Product[] {
    return this.entitiesOf<Product>(
      "advertised",
      "brand",
      "filtered brand",
      "search",
      "phone",
      "watched phones",
    );
  }

  /** The phones that are shown; if there are none, those of a random brand. */
  protected async somePhones(random: RandomNumbers): Promise<Product[]> {
    if (this.shownPhones().length > 0) return this.shownPhones();
    const brand = pick(await this.allBrands(), (random[3] ?? 0) ** 2);
    if (brand) await this.openViews(brandPage(brand._id, ""));
    return this.shownPhones();
  }
}
