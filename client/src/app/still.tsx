import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Provider } from "react-redux";
import { Route, Routes, StaticRouter } from "react-router-dom";
import type { Brand } from "@/api/types";
import { authActions } from "@/features/auth/authSlice";
import { BrandCard } from "@/features/catalog/brands/BrandCard";
import { brandsKnown } from "@/features/catalog/endpoints";
import { AnnouncerProvider, ToastProvider } from "@/ui";
import { GuestOnly } from "./guards";
import { Layout } from "./layout/Layout";
import CategoriesRoute from "./routes/CategoriesRoute";
import CategoryRoute from "./routes/CategoryRoute";
import { HomeRoute } from "./routes/HomeRoute";
import SignInRoute from "./routes/SignInRoute";
import SignUpRoute from "./routes/SignUpRoute";
import { type AppStore, makeStore } from "./store";

/** The screens of which a visitor's page brings a still. */
export const STILLS = ["/", "/categories", "/login", "/signUp"];

/** Those of which the page of somebody who has signed in does. */
export const KNOWN_STILLS = ["/category/{id}"];

/** A brand whose texts stand for those of the brands that the server puts in its place. */
const BRAND: Brand = { _id: "BRAND_ID", name: "BRAND_NAME", img: "BRAND_IMG", version: 1 };

function emptyStore(isKnown: boolean) {
  const store = makeStore();
  if (!isKnown) store.dispatch(authActions.left(false));
  return store;
}

/**
 * A still of a screen as HTML, before any answer is there, not even who has signed in: what a page shows until its
 * scripts have come. Made when the client is built, never in a browser.
 */
export function still(path: string, isKnown: boolean): string {
  return draw(path, emptyStore(isKnown));
}

/** The screen of all brands as a visitor sees it, with one of them, and the card of that one. */
export function stillOfBrands(): { still: string; each: string } {
  const store = emptyStore(false);
  store.dispatch(brandsKnown([BRAND]));
  const card = (
    <StaticRouter location="/categories">
      <BrandCard brand={BRAND} eager />
    </StaticRouter>
  );
  return { still: draw("/categories", store), each: toHtml(card) };
}

/** Without the links to pictures that React puts before all: they stand in the same page. */
const toHtml = (node: ReactNode) => renderToStaticMarkup(node).replace(/^(<link [^>]*>)+/, "");

function draw(path: string, store: AppStore): string {
  return toHtml(
    <Provider store={store}>
      <ToastProvider>
        <AnnouncerProvider>
          <StaticRouter location={path}>
            <Routes>
              <Route element={<Layout />}>
                <Route index element={<HomeRoute />} />
                <Route path="categories" element={<CategoriesRoute />} />
                <Route path="category/:id" element={<CategoryRoute />} />
                <Route element={<GuestOnly />}>
                  <Route path="login" element={<SignInRoute />} />
                  <Route path="signUp" element={<SignUpRoute />} />
                </Route>
              </Route>
            </Routes>
          </StaticRouter>
        </AnnouncerProvider>
      </ToastProvider>
    </Provider>,
  );
}
