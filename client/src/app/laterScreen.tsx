import { type ComponentType, lazy } from "react";

/** A screen in a file of its own; once that is loaded it is drawn at once, where React's own lazy waits a moment. */
export function laterScreen(fetch: () => Promise<{ default: ComponentType }>) {
  let Here: ComponentType | null = null;
  const Later = lazy(fetch);
  const Screen = () => (Here ? <Here /> : <Later />);
  const load = async () => {
    Here = (await fetch()).default;
  };
  return Object.assign(Screen, { load });
}
