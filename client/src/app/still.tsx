import { renderToStaticMarkup } from "react-dom/server";
import { Provider } from "react-redux";
import { Route, Routes, StaticRouter } from "react-router-dom";
import { authActions } from "@/features/auth/authSlice";
import Categories from "@/features/catalog/Categories";
import { AnnouncerProvider, ToastProvider } from "@/ui";
import { GuestOnly } from "./guards";
import { Layout } from "./layout/Layout";
import { HomeRoute } from "./routes/HomeRoute";
import SignInRoute from "./routes/SignInRoute";
import SignUpRoute from "./routes/SignUpRoute";
import { makeStore } from "./store";

/** The screens of which a visitor's page brings a still. */
export const STILLS = ["/", "/categories", "/login", "/signUp"];

/**
 * A still of a visitor's screen as HTML, before any answer is there: what a page shows until its scripts
 * have come. Made when the client is built, never in a browser.
 */
export function still(path: string): string {
  const store = makeStore();
  store.dispatch(authActions.left(false));
  return renderToStaticMarkup(
    <Provider store={store}>
      <ToastProvider>
        <AnnouncerProvider>
          <StaticRouter location={path}>
            <Routes>
              <Route element={<Layout />}>
                <Route index element={<HomeRoute />} />
                <Route path="categories" element={<Categories />} />
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
