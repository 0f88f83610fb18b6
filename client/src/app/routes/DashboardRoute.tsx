import { lazy } from "react";
import { Route, Routes } from "react-router-dom";
import { RequireRole } from "@/app/RequireRole";
import RequireUser from "@/app/RequireUser";
import Dashboard from "@/features/dashboard/Dashboard";

const Overview = lazy(() => import("./OverviewRoute"));
const MyOrders = lazy(() => import("./MyOrdersRoute"));
const Watching = lazy(() => import("./WatchingRoute"));
const Order = lazy(() => import("@/features/orders/Order"));
const Account = lazy(() => import("@/features/account/Account"));
const Notifications = lazy(() => import("@/features/notifications/Notifications"));
const Payment = lazy(() => import("@/features/payment/Payment"));
const AddProduct = lazy(() => import("@/features/selling/AddProduct"));
const EditPhone = lazy(() => import("@/features/selling/EditPhone"));
const Earnings = lazy(() => import("@/features/earnings/Earnings"));
const MyProducts = lazy(() => import("@/features/selling/MyProducts"));
const AllBuyers = lazy(() => import("@/features/admin/AllBuyers"));
const AllSellers = lazy(() => import("@/features/admin/AllSellers"));
const ReportedItems = lazy(() => import("@/features/admin/ReportedItems"));
const AuditTrail = lazy(() => import("@/features/admin/AuditTrail"));
const Orders = lazy(() => import("@/features/admin/Orders"));
const NotFound = lazy(() => import("@/features/pages/NotFound"));

/** The screens below /dashboard, each loaded separately. Visitors see none of them but the not-found page. */
export default function DashboardRoute() {
  return (
    <Routes>
      <Route element={<RequireUser />}>
        <Route element={<Dashboard />}>
          <Route index element={<Overview />} />
          <Route path="payment/:id" element={<Payment />} />
          <Route path="order/:id" element={<Order />} />
          <Route path="account" element={<Account />} />
          <Route path="watching" element={<Watching />} />
          <Route path="notifications" element={<Notifications />} />
          <Route element={<RequireRole only="buyer" />}>
            <Route path="myOrders" element={<MyOrders />} />
          </Route>
          <Route element={<RequireRole only="seller" />}>
            <Route path="addProduct" element={<AddProduct />} />
            <Route path="earnings" element={<Earnings />} />
            <Route path="myProducts" element={<MyProducts />} />
            <Route path="myProducts/:id" element={<EditPhone />} />
          </Route>
          <Route element={<RequireRole only="admin" />}>
            <Route path="allBuyers" element={<AllBuyers />} />
            <Route path="allSellers" element={<AllSellers />} />
            <Route path="reportedItems" element={<ReportedItems />} />
            <Route path="auditTrail" element={<AuditTrail />} />
            <Route path="orders" element={<Orders />} />
          </Route>
        </Route>
      </Route>
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
