import { useRef } from "react";

/**
 * Remembers what was worked out of each row when it was first shown, until the choice changes. So a pushed change
 * neither moves a row that the user looks at nor takes it away.
 */
export function useSettled<Row extends { _id: string }, T>(
  choice: string,
  workOut: (row: Row) => T,
): (row: Row) => T {
  const settled = useRef({ choice, of: new Map<string, T>() });
  if (settled.current.choice !== choice) settled.current = { choice, of: new Map() };
  const { of } = settled.current;
  return (row) => {
    if (!of.has(row._id)) of.set(row._id, workOut(row));
    return of.get(row._id) as T;
  };
}
