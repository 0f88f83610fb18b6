import { lazy } from "react";
import { BrowserRouter, Route, Routes } from "react-router-dom";
import { GuestOnly, RequireRole, RequireUser } from "./guards";
import { Layout } from "./layout/Layout";
import { HomeRoute } from "./routes/HomeRoute";

const Categories = lazy(() => import("@/features/catalog/Categories"));
const CategoryRoute = lazy(() => import("./routes/CategoryRoute"));
const SearchRoute = lazy(() => import("./routes/SearchRoute"));
const PhoneRoute = lazy(() => import("./routes/PhoneRoute"));
const SignInRoute = lazy(() => import("./routes/SignInRoute"));
const SignUpRoute = lazy(() => import("./routes/SignUpRoute"));
const Contact = lazy(() => import("./routes/ContactRoute"));
const Blog = lazy(() => import("@/features/pages/Blog"));
const Overview = lazy(() => import("./routes/OverviewRoute"));
const Dashboard = lazy(() => import("@/features/dashboard/Dashboard"));
const MyOrders = lazy(() => import("@/features/orders/MyOrders"));
const Payment = lazy(() => import("@/features/payment/Payment"));
const AddProduct = lazy(() => import("@/features/selling/AddProduct"));
const EditPhone = lazy(() => import("@/features/selling/EditPhone"));
const MyProducts = lazy(() => import("@/features/selling/MyProducts"));
const AllBuyers = lazy(() => import("@/features/admin/AllBuyers"));
const AllSellers = lazy(() => import("@/features/admin/AllSellers"));
const ReportedItems = lazy(() => import("@/features/admin/ReportedItems"));
const NotFound = lazy(() => import("@/features/pages/NotFound"));

/**
 * Every screen of the specification's section 2, the search, a phone's own page and where its seller changes
 * it; each but Home comes in a file of its own.
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
          <Route path="dashboard" element={<Dashboard />}>
            <Route index element={<Overview />} />
            <Route path="payment/:id" element={<Payment />} />
            <Route element={<RequireRole only="buyer" />}>
              <Route path="myOrders" element={<MyOrders />} />
            </Route>
            <Route element={<RequireRole only="seller" />}>
              <Route path="addProduct" element={<AddProduct />} />
              <Route path="myProducts" element={<MyProducts />} />
              <Route path="myProducts/:id" element={<EditPhone />} />
            </Route>
            <Route element={<RequireRole only="admin" />}>
              <Route path="allBuyers" element={<AllBuyers />} />
              <Route path="allSellers" element={<AllSellers />} />
              <Route path="reportedItems" element={<ReportedItems />} />
            </Route>
          </Route>
        </Route>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}

/** The screens in the browser's address bar. */
export function Router() {
  return (
    <BrowserRouter>
      <Screens />
    </BrowserRouter>
  );
}
