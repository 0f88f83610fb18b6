import { lazy } from "react";
import { Route, Routes } from "react-router-dom";
import Categories from "@/features/catalog/Categories";
import { GuestOnly } from "./GuestOnly";
import { Layout } from "./layout/Layout";
import { HomeRoute } from "./routes/HomeRoute";

const RequireUser = lazy(() => import("./RequireUser"));
const CategoryRoute = lazy(() => import("./routes/CategoryRoute"));
const SearchRoute = lazy(() => import("./routes/SearchRoute"));
const PhoneRoute = lazy(() => import("./routes/PhoneRoute"));
const SignInRoute = lazy(() => import("./routes/SignInRoute"));
const SignUpRoute = lazy(() => import("./routes/SignUpRoute"));
const SecondFactorRoute = lazy(() => import("./routes/SecondFactorRoute"));
const RecoveryRoute = lazy(() => import("./routes/RecoveryRoute"));
const Contact = lazy(() => import("./routes/ContactRoute"));
const Blog = lazy(() => import("@/features/pages/Blog"));
const DashboardRoute = lazy(() => import("./routes/DashboardRoute"));
const NotFound = lazy(() => import("@/features/pages/NotFound"));

/**
 * All screens of the client. Each but Home and Categories is in a file of its own, loaded when it is first shown; the
 * dashboard's are in DashboardRoute.
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
        <Route path="forgot" element={<RecoveryRoute screen="forgot" />} />
        <Route path="reset" element={<RecoveryRoute screen="reset" />} />
        <Route path="verify" element={<RecoveryRoute screen="verify" />} />
        <Route path="secondFactor" element={<SecondFactorRoute />} />
        <Route path="setup" element={<RecoveryRoute screen="setup" />} />
        <Route element={<GuestOnly />}>
          <Route path="login" element={<SignInRoute />} />
          <Route path="signUp" element={<SignUpRoute />} />
        </Route>
        <Route element={<RequireUser />}>
          <Route path="category/:id" element={<CategoryRoute />} />
        </Route>
        <Route path="dashboard/*" element={<DashboardRoute />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}
