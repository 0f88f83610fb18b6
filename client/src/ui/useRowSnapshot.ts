import { useRef } from "react";

/**
 * Computes a value of each row when the row is first rendered, and returns that value until `resetKey` changes. A list
 * that is filtered or sorted by such values does not move or lose a row when a pushed change arrives.
 */
export function useRowSnapshot<Row extends { _id: string }, T>(
  resetKey: string,
  compute: (row: Row) => T,
): (row: Row) => T {
  const snapshot = useRef({ resetKey, values: new Map<string, T>() });
  if (snapshot.current.resetKey !== resetKey) snapshot.current = { resetKey, values: new Map() };
  const { values } = snapshot.current;
  return (row) => {
    if (!values.has(row._id)) values.set(row._id, compute(row));
    return values.get(row._id) as T;
  };
}
