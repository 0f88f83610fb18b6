import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { type Plugin, type Rolldown, runnerImport } from "vite";

/** What a screen's page names ahead, so that its code comes beside the client's and not after it. */
const AHEAD: Record<string, readonly string[]> = {
  "/": [],
  "/categories": ["app/routes/CategoriesRoute.tsx"],
  "/login": ["app/routes/SignInRoute.tsx"],
  "/signUp": ["app/routes/SignUpRoute.tsx"],
  "/search": ["app/routes/SearchRoute.tsx"],
  "/category/{id}": [
    "app/RequireUser.tsx",
    "app/routes/CategoryRoute.tsx",
    "features/auth/SessionManager.tsx",
  ],
};

/** What the server is told of a screen, in screens.json. */
interface Screen {
  /** A still of it as a visitor sees it first; absent where it depends on who looks. */
  still?: string;
  /** A still for whoever is signed in, before it is known who that is. */
  knownStill?: string;
  /** The still of all brands with one of them, and the part of it that the server repeats for each. */
  brands?: { still: string; each: string };
  /** Paths of the scripts that it needs beside the client's own. */
  scripts: string[];
}

type Module = {
  STILLS: readonly string[];
  KNOWN_STILLS: readonly string[];
  still: (path: string, isKnown: boolean) => string;
  stillOfBrands: () => { still: string; each: string };
};
type Alias = { find: RegExp; replacement: string }[];

/** A chunk's file and all that it imports. */
function withImports(bundle: Rolldown.OutputBundle, file: string, into: Set<string>): Set<string> {
  const chunk = bundle[file];
  if (chunk?.type !== "chunk" || into.has(file)) return into;
  into.add(file);
  for (const name of chunk.imports) withImports(bundle, name, into);
  return into;
}

function scriptsOf(bundle: Rolldown.OutputBundle, sources: readonly string[]): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const entry = new Set<string>();
  for (const { fileName, isEntry } of chunks) if (isEntry) withImports(bundle, fileName, entry);
  const all = new Set<string>();
  for (const source of sources) {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${source}`));
    if (!chunk) throw new Error(`No chunk of its own for ${source}`);
    withImports(bundle, chunk.fileName, all);
  }
  return [...all].filter((file) => !entry.has(file)).map((file) => `/${file}`);
}

/** Tells the server what each screen's page may bring: a still, and the scripts to fetch beside the client's. */
export function screens(root: string, alias: Alias): Plugin {
  return {
    name: "screens",
    apply: "build",
    async generateBundle(_, bundle) {
      const config = { configFile: false, root, resolve: { alias }, logLevel: "error" } as const;
      const { module } = await runnerImport<Module>(`${root}src/app/still.tsx`, config);
      const all: Record<string, Screen> = {};
      for (const [path, sources] of Object.entries(AHEAD)) {
        all[path] = { scripts: scriptsOf(bundle, sources) };
        if (module.STILLS.includes(path)) all[path].still = module.still(path, false);
        if (path === "/categories") all[path].brands = module.stillOfBrands();
        if (module.KNOWN_STILLS.includes(path)) all[path].knownStill = module.still(path, true);
      }
      this.emitFile({ type: "asset", fileName: "screens.json", source: JSON.stringify(all) });
    },
  };
}

const PACKED = /\.(?:js|css|svg|json)$/;
const BEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Lays a Brotli copy beside each text among the assets, once and for all: the server has only to send it. */
export function brotli(): Plugin {
  return {
    name: "brotli",
    apply: "build",
    writeBundle({ dir = "" }, bundle) {
      for (const name of Object.keys(bundle)) {
        if (!name.startsWith("assets/") || !PACKED.test(name)) continue;
        const packed = brotliCompressSync(readFileSync(`${dir}/${name}`), BEST);
        writeFileSync(`${dir}/${name}.br`, packed);
      }
    },
  };
}
