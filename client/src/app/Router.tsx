import { lazy } from "react";
import { BrowserRouter, Route, Routes } from "react-router-dom";
import { GuestOnly } from "./guards";
import { laterScreen } from "./laterScreen";
import { Layout } from "./layout/Layout";
import { HomeRoute } from "./routes/HomeRoute";

/** Visitors need neither it nor what it guards. */
const RequireUser = lazy(() => import("./RequireUser"));
const Categories = laterScreen(() => import("@/features/catalog/Categories"));
const CategoryRoute = lazy(() => import("./routes/CategoryRoute"));
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

/** Screens of which the page has brought a still (still.tsx): their code is here before they take its place. */
const STILLS: Record<string, { load: () => Promise<void> } | undefined> = {
  "/categories": Categories,
  "/login": SignInRoute,
  "/signUp": SignUpRoute,
};

/** Resolves once the screen of this path can be drawn at once; when its code does not come, too. */
export async function arrive(path: string): Promise<void> {
  await STILLS[path]?.load().catch(() => undefined);
}

/** The screens in the browser's address bar. */
export function Router() {
  return (
    <BrowserRouter>
      <Screens />
    </BrowserRouter>
  );
}
