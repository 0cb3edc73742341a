// Builds the islands into ../assets/islands, with one file for what they share, and records the hash of the sources, which a
// test compares: stale files are an error.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build } from "vite";

const ISLANDS = ["sequence", "timeline", "tracker"];

await build({
  configFile: false,
  logLevel: "warn",
  plugins: [svelte({ compilerOptions: { css: "external" } })],
  build: {
    outDir: "../assets/islands",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    minify: "oxc",
    cssCodeSplit: true,
    rolldownOptions: {
      input: Object.fromEntries(ISLANDS.map((island) => [island, `src/${island}.js`])),
      preserveEntrySignatures: "strict",
      output: {
        entryFileNames: "[name].js",
        // What both islands need: the run-time library of Svelte.
        chunkFileNames: "shared.js",
        assetFileNames: "[name].[ext]",
      },
    },
  },
});

const sources = ["build.js", "package.json", "package-lock.json", ...readdirSync("src").map((name) => `src/${name}`)];
const hash = createHash("sha256");
for (const path of sources.sort()) {
  hash.update(`${path}\n`);
  hash.update(readFileSync(path));
}
writeFileSync("../assets/islands/sources.sha256", `${hash.digest("hex")}\n`);
