import { Route, Routes } from "react-router-dom";
import { RequireRole } from "@/app/RequireRole";
import RequireUser from "@/app/RequireUser";
import Dashboard from "@/features/dashboard/Dashboard";
import { SuspensionNote } from "@/features/decisions/SuspensionNote";
import { lazyScreen } from "@/ui/lazyPart";
import { useMenuCounts } from "./useMenuCounts";

const Overview = lazyScreen(() => import("./OverviewRoute"));
const MyOrders = lazyScreen(() => import("./MyOrdersRoute"));
const Watching = lazyScreen(() => import("./WatchingRoute"));
const Order = lazyScreen(() => import("./OrderRoute"));
const Account = lazyScreen(() => import("./AccountRoute"));
const Notifications = lazyScreen(() => import("@/features/notifications/Notifications"));
const Messages = lazyScreen(() => import("@/features/messages/Messages"));
const Conversation = lazyScreen(() => import("./ConversationRoute"));
const NewConversation = lazyScreen(() => import("@/features/messages/NewConversation"));
const Payment = lazyScreen(() => import("@/features/payment/Payment"));
const AddProduct = lazyScreen(() => import("@/features/selling/AddProduct"));
const EditPhone = lazyScreen(() => import("@/features/selling/EditPhone"));
const Earnings = lazyScreen(() => import("@/features/earnings/Earnings"));
const MyProducts = lazyScreen(() => import("@/features/selling/MyProducts"));
const AllBuyers = lazyScreen(() => import("@/features/admin/AllBuyers"));
const AllSellers = lazyScreen(() => import("@/features/admin/AllSellers"));
const ReportedItems = lazyScreen(() => import("@/features/admin/ReportedItems"));
const Cases = lazyScreen(() => import("@/features/admin/cases/Cases"));
const Case = lazyScreen(() => import("@/features/admin/cases/Case"));
const Decisions = lazyScreen(() => import("@/features/decisions/Decisions"));
const AuditTrail = lazyScreen(() => import("@/features/admin/AuditTrail"));
const Orders = lazyScreen(() => import("./AdminOrdersRoute"));
const Person = lazyScreen(() => import("@/features/admin/Person"));
const NotFound = lazyScreen(() => import("@/features/pages/NotFound"));

/** The screens below /dashboard, each loaded separately. Visitors see none of them but the not-found page. */
export default function DashboardRoute() {
  const counts = useMenuCounts();
  return (
    <Routes>
      <Route element={<RequireUser />}>
        <Route element={<Dashboard counts={counts} notice={<SuspensionNote />} />}>
          <Route index element={<Overview />} />
          <Route path="payment/:id" element={<Payment />} />
          <Route path="order/:id" element={<Order />} />
          <Route path="account" element={<Account />} />
          <Route path="watching" element={<Watching />} />
          <Route path="decisions" element={<Decisions />} />
          <Route path="notifications" element={<Notifications />} />
          <Route element={<RequireRole roles={["buyer", "seller"]} />}>
            <Route path="myOrders" element={<MyOrders />} />
            <Route path="messages" element={<Messages />}>
              <Route path="new" element={<NewConversation />} />
              <Route path=":id" element={<Conversation />} />
            </Route>
          </Route>
          <Route element={<RequireRole roles={["seller"]} />}>
            <Route path="addProduct" element={<AddProduct />} />
            <Route path="earnings" element={<Earnings />} />
            <Route path="myProducts" element={<MyProducts />} />
            <Route path="myProducts/:id" element={<EditPhone />} />
          </Route>
          <Route element={<RequireRole roles={["admin"]} />}>
            <Route path="allBuyers" element={<AllBuyers />} />
            <Route path="allSellers" element={<AllSellers />} />
            <Route path="reportedItems" element={<ReportedItems />} />
            <Route path="cases" element={<Cases />} />
            <Route path="cases/:id" element={<Case />} />
            <Route path="auditTrail" element={<AuditTrail />} />
            <Route element={<RequireRole roles={["admin"]} ofOrders />}>
              <Route path="orders" element={<Orders />} />
            </Route>
            <Route path="person/:id" element={<Person />} />
          </Route>
        </Route>
      </Route>
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
