import type { Plugin } from "vite";

/** What is cut out of one file of a library: each text, found exactly once (or `all` times), and what stands there instead. */
interface Cut {
  /** The end of the file's path. */
  file: string;
  edits: readonly (readonly [find: string | RegExp, instead: string])[];
}

/**
 * Parts of the libraries that this client never calls and that a bundler cannot see are dead. The versions are
 * pinned; where a text is not found any more the build fails, and whoever updates the library looks again.
 */
const CUTS: readonly Cut[] = [
  {
    file: "react-dom/cjs/react-dom-client.production.js",
    edits: [
      // Marks that React throws at itself and knows by identity. As a new Error each takes the stack down, for which
      // a browser with its tools open parses all of React a second time before anything is drawn.
      [/(?<=\w+Exception = )Error\(formatProdErrorMessage\(\d+\)\)/g, "Object.create(Error.prototype)"],
    ],
  },
  // Whether React's developers' tools find this build well made.
  { file: "react-dom/client.js", edits: [["  checkDCE();\n", ""]] },
  { file: "react-dom/index.js", edits: [["  checkDCE();\n", ""]] },
  {
    file: "@reduxjs/toolkit/dist/redux-toolkit.modern.mjs",
    edits: [
      // Redux's developers' tools see a build for developers.
      [/^const composeWithDevTools = [\s\S]*?^typeof window .*$/m, ""],
      [/if \(devTools\) finalCompose = composeWithDevTools\(\{[\s\S]*?\}\);/, ""],
    ],
  },
  {
    file: "react-router/dist/production/chunk-7RTFRKQW.mjs",
    edits: [
      // Names for a developer's tools: writing one keeps a component that nobody uses.
      [/^\w+\.displayName = "[\w. ]+";$/gm, ""],
      [/(?<== )(?=React\d*\.(?:createContext|forwardRef|memo)\()/g, "/* @__PURE__ */ "],
      // Links fetch ahead in the router's framework mode alone.
      [
        /let \[shouldPrefetch, prefetchRef, prefetchHandlers\] = usePrefetchBehavior\(\s*prefetch,\s*rest\s*\);/,
        "",
      ],
      ["          ...prefetchHandlers,\n          href: (isSpa", "          href: (isSpa"],
      ["ref: mergeRefs(forwardedRef, prefetchRef)", "ref: forwardedRef"],
      [/return shouldPrefetch && !isAbsolute \? .* : link;/, "return link;"],
      // Loaders, their errors and their fallbacks belong to the data router.
      [
        "let dataRouterState = dataRouterOpts?.state;\n  if (matches == null)",
        "const dataRouterState = void 0;\n  if (matches == null)",
      ],
      [
        /return dataRouterState && \(match\.route\.ErrorBoundary [^?]*\? [^:]*?RenderErrorBoundary,[\s\S]*?\) : getChildren\(\);/,
        "return getChildren();",
      ],
      [/^var RenderErrorBoundary = class [\s\S]*?^RenderErrorBoundary\.contextType = \w+;$/m, ""],
      ["return isDataRoute ? useNavigateStable() : useNavigateUnstable();", "return useNavigateUnstable();"],
      [
        /routerState != null && (?:\/\/.*\s*)*useViewTransitionState\(path\) && viewTransition === true/,
        "false",
      ],
      [/dataRouterOpts && dataRouterOpts\.state\.matches\.length \? \([\s\S]*?\n {2}\) : /, ""],
      // Warnings are for who develops.
      [/^(?=function warning\w*\()/gm, "/* @__NO_SIDE_EFFECTS__ */ "],
    ],
  },
  {
    file: "@reduxjs/toolkit/dist/query/rtk-query.modern.mjs",
    edits: [
      // No endpoint polls, follows its entry's life, or asks again when the window gets the focus.
      ["\t\tbuildPollingHandler,\n\t\tbuildCacheLifecycleHandler,\n", ""],
      ["const windowEventsHandler = buildWindowEventHandler(builderArgs);", ""],
      ["windowEventsHandler(action, mwApiWithNext, stateBefore);", ""],
      // Live events change the cache in api/liveReducer.ts, never by patches; nothing is fetched ahead.
      ["\t\tenablePatches();\n", ""],
      // Who shows what is copied into the state, by patches, for developers' tools alone.
      [/if \(patches\.length\) mwApi\.next\(api\.internalActions\.subscriptionsUpdated\(patches\)\);/, ""],
      ["const patches = buildSubscriptionPatches();", ""],
      ["\t\tprefetch,\n\t\tupdateQueryData,\n\t\tupsertQueryData,\n\t\tpatchQueryData,\n", ""],
      ["patchQueryData, updateQueryData, upsertQueryData, prefetch, buildMatch", "buildMatch"],
      ["\t\t\tpatchQueryData,\n\t\t\tupdateQueryData,\n\t\t\tupsertQueryData,\n\t\t\tprefetch,\n", ""],
      // Pages are joined in api/liveList.ts: no endpoint is an infinite query.
      ["\t\tbuildInitiateInfiniteQuery,\n", ""],
      ["buildInitiateQuery, buildInitiateInfiniteQuery,", "buildInitiateQuery,"],
      ["\t\tbuildInfiniteQuerySelector,\n", ""],
      ["buildQuerySelector, buildInfiniteQuerySelector,", "buildQuerySelector,"],
      [
        /if \(isInfiniteQueryDefinition\(definition\)\) safeAssign\(endpoint, \{[\s\S]*?\}, buildMatchThunkActions\(queryThunk, endpointName\)\);/,
        "",
      ],
      ['if (isQuery && "infiniteQueryOptions" in endpointDefinition) {', "if (false) {"],
      ["...isInfiniteQueryDefinition(endpointDefinition) ? { direction: arg.direction } : {}", ""],
      ["if (direction && isInfiniteQueryDefinition(endpointDefinition)) {", "if (false) {"],
      // Answers are typed by the server's own description, not checked against schemas.
      [/if \((?:metaSchema|\w+Schema) && !shouldSkip\(.*$/gm, ";"],
      ["if (caughtError instanceof NamedSchemaError) {", "if (false) {"],
    ],
  },
  {
    file: "@reduxjs/toolkit/dist/query/react/rtk-query-react.modern.mjs",
    edits: [
      ["\t\tbuildInfiniteQueryHooks,\n", ""],
      [",\n\t\tusePrefetch\n", "\n"],
      [
        "buildQueryHooks, buildInfiniteQueryHooks, buildMutationHook, usePrefetch }",
        "buildQueryHooks, buildMutationHook }",
      ],
      ["safeAssign(anyApi, { usePrefetch });", ""],
      [/ else if \(isInfiniteQueryDefinition\(definition\)\) \{[\s\S]*?= useInfiniteQuery;\s*\}/, ""],
      [/\.\.\.isInfiniteQueryDefinition\(endpointDefinitions\[endpointName\]\) \? \{[\s\S]*?\} : \{\}/, ""],
    ],
  },
];

/** Replaces one text; fails where it is not there, or more often than once. */
function cut(code: string, file: string, [find, instead]: Cut["edits"][number]): string {
  const isAll = find instanceof RegExp && find.global;
  const parts = isAll ? (code.match(find)?.length ?? 0) : code.split(find).length - 1;
  if (parts < 1 || (!isAll && parts > 1)) throw new Error(`${file} has ${parts} times: ${find}`);
  return code.replace(find, instead);
}

/** Leaves out of the libraries what this client never calls; see docs/adr/0016. */
export function leanLibraries(): Plugin {
  const done = new Set<string>();
  return {
    name: "lean-libraries",
    apply: "build",
    transform(code, id) {
      const found = CUTS.find(({ file }) => id.endsWith(`/node_modules/${file}`));
      if (!found) return null;
      done.add(found.file);
      return { code: found.edits.reduce((text, edit) => cut(text, found.file, edit), code), map: null };
    },
    buildEnd(error) {
      const missed = CUTS.filter(({ file }) => !done.has(file));
      if (!error && missed.length > 0)
        throw new Error(`Not in the build: ${missed.map((c) => c.file).join(", ")}`);
    },
  };
}
