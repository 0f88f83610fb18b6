import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSED = /\.(?:js|css|svg|json)$/;
const BEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Writes a Brotli copy (`.br`) beside each text file in assets/; the server sends it as it is. */
export function brotli(): Plugin {
  return {
    name: "brotli",
    apply: "build",
    writeBundle({ dir = "" }, bundle) {
      for (const name of Object.keys(bundle)) {
        if (!name.startsWith("assets/") || !COMPRESSED.test(name)) continue;
        writeFileSync(`${dir}/${name}.br`, brotliCompressSync(readFileSync(`${dir}/${name}`), BEST));
      }
    },
  };
}
