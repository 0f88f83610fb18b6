import { lazy } from "react";
import { BrowserRouter, Route, Routes } from "react-router-dom";
import { GuestOnly } from "./guards";
import { laterScreen } from "./laterScreen";
import { Layout } from "./layout/Layout";
import { HomeRoute, ready } from "./routes/HomeRoute";
import type { AppStore } from "./store";

/** Visitors need neither it nor what it guards. */
const RequireUser = laterScreen(() => import("./RequireUser"));
const Categories = laterScreen(() => import("./routes/CategoriesRoute"));
const CategoryRoute = laterScreen(() => import("./routes/CategoryRoute"));
const SearchRoute = lazy(() => import("./routes/SearchRoute"));
const PhoneRoute = lazy(() => import("./routes/PhoneRoute"));
const SignInRoute = laterScreen(() => import("./routes/SignInRoute"));
const SignUpRoute = laterScreen(() => import("./routes/SignUpRoute"));
const Contact = lazy(() => import("./routes/ContactRoute"));
const Blog = lazy(() => import("@/features/pages/Blog"));
const DashboardRoute = lazy(() => import("./routes/DashboardRoute"));
const NotFound = lazy(() => import("@/features/pages/NotFound"));

/**
 * Every screen of the specification's section 2, the search, a phone's own page and where its seller changes
 * it; each but Home comes in a file of its own, the dashboard's with their own routes (DashboardRoute).
 */
export function Screens() {
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route index element={<HomeRoute />} />
        <Route path="categories" element={<Categories />} />
        <Route path="search" element={<SearchRoute />} />
        <Route path="phone/:id" element={<PhoneRoute />} />
        <Route path="blog" element={<Blog />} />
        <Route path="contact" element={<Contact />} />
        <Route element={<GuestOnly />}>
          <Route path="login" element={<SignInRoute />} />
          <Route path="signUp" element={<SignUpRoute />} />
        </Route>
        <Route element={<RequireUser />}>
          <Route path="category/:id" element={<CategoryRoute />} />
          <Route path="dashboard/*" element={<DashboardRoute />} />
        </Route>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}

/** A brand's screen stands behind a guard, whose code it needs as well. */
const guarded = {
  load: (store: AppStore) => Promise.all([RequireUser.load(store), CategoryRoute.load(store)]),
};

/** Screens of which the page has brought a still (still.tsx), by the first part of their path. */
const STILLS: Record<string, { load: (store: AppStore) => Promise<unknown> } | undefined> = {
  "": { load: ready },
  categories: Categories,
  login: SignInRoute,
  signUp: SignUpRoute,
  category: guarded,
};

/** Milliseconds that a still stands at most for want of answers: then the screen says itself what it waits for. */
const PATIENCE_MS = 4000;

/**
 * Resolves once the screen of this path, whose still is on show, can take its place: its code is here, and what it
 * shows first. When they do not come, too.
 */
export async function arrive(path: string, store: AppStore): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  return Promise.race([STILLS[path.split("/")[1] ?? ""]?.load(store).catch(() => undefined), late]);
}

/** The screens in the browser's address bar. */
export function Router() {
  return (
    <BrowserRouter>
      <Screens />
    </BrowserRouter>
  );
}
