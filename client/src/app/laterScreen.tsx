import { type ComponentType, lazy } from "react";
import type { AppStore } from "./store";

interface ScreenCode {
  default: ComponentType;
  /** Asks for what the screen shows first; resolves once that is here, or will not come. */
  ready?: (store: AppStore) => Promise<unknown>;
}

/** A screen in a file of its own; once that is loaded it is drawn at once, where React's own lazy waits a moment. */
export function laterScreen(fetch: () => Promise<ScreenCode>) {
  let Here: ComponentType | null = null;
  const Later = lazy(fetch);
  const Screen = () => (Here ? <Here /> : <Later />);
  const load = async (store: AppStore) => {
    const code = await fetch();
    Here = code.default;
    await code.ready?.(store);
  };
  return Object.assign(Screen, { load });
}
