import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import type { api } from "@/api/emptyApi";

/** Dispatch that takes the catalogue's calls. */
export type CatalogDispatch = ThunkDispatch<{ api: ReturnType<typeof api.reducer> }, unknown, UnknownAction>;
