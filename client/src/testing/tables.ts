import { screen } from "@testing-library/react";

/** Waits for the table row that contains this text. */
export const findRow = async (text: string) => (await screen.findByText(text)).closest("tr") as HTMLElement;

/** The texts of the column headers. */
export const columnHeaders = () => screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
