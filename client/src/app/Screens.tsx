import { Route, Routes } from "react-router-dom";
import Categories from "@/features/catalog/Categories";
import { lazyScreen } from "@/ui/lazyPart";
import { GuestOnly } from "./GuestOnly";
import { Layout } from "./layout/Layout";
import { HomeRoute } from "./routes/HomeRoute";

const RequireUser = lazyScreen(() => import("./RequireUser"));
const CategoryRoute = lazyScreen(() => import("./routes/CategoryRoute"));
const SearchRoute = lazyScreen(() => import("./routes/SearchRoute"));
const PhoneRoute = lazyScreen(() => import("./routes/PhoneRoute"));
const SignInRoute = lazyScreen(() => import("./routes/SignInRoute"));
const SignUpRoute = lazyScreen(() => import("./routes/SignUpRoute"));
const SecondFactorRoute = lazyScreen(() => import("./routes/SecondFactorRoute"));
const RecoveryRoute = lazyScreen(() => import("./routes/RecoveryRoute"));
const Contact = lazyScreen(() => import("./routes/ContactRoute"));
const Blog = lazyScreen(() => import("@/features/pages/Blog"));
const DashboardRoute = lazyScreen(() => import("./routes/DashboardRoute"));
const NotFound = lazyScreen(() => import("@/features/pages/NotFound"));

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
        <Route path="appeal" element={<RecoveryRoute screen="appeal" />} />
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
