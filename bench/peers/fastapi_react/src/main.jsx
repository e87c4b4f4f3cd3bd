import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider, createBrowserRouter } from "react-router";
import { Frame } from "./Frame.jsx";
import "./site.css";

const page = (load, props = {}) => async () => ({ Component: (await load()).default, ...props });

const router = createBrowserRouter([
  {
    Component: Frame,
    HydrateFallback: () => null,
    children: [
      { index: true, lazy: page(() => import("./pages/Login.jsx")) },
      { path: "login/code", lazy: page(() => import("./pages/Code.jsx")) },
      { path: "dashboard", lazy: page(() => import("./pages/Dashboard.jsx")) },
      { path: "orders", lazy: page(() => import("./pages/Orders.jsx")) },
      { path: "repair-request/step-2", lazy: page(() => import("./pages/Damage.jsx")) },
      { path: "repair-request/step-3", lazy: page(() => import("./pages/Maintenance.jsx")) },
    ],
  },
]);

const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });

createRoot(document.getElementById("root")).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
