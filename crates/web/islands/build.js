// Builds each island into one file of ../assets/islands, and records the hash of the sources, which a
// test compares: stale files are an error.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build } from "vite";

const ISLANDS = ["sequence", "timeline"];

for (const [index, island] of ISLANDS.entries()) {
  await build({
    configFile: false,
    logLevel: "warn",
    plugins: [svelte({ compilerOptions: { css: "external" } })],
    build: {
      outDir: "../assets/islands",
      emptyOutDir: index === 0,
      target: "es2022",
      modulePreload: false,
      cssCodeSplit: false,
      lib: { entry: `src/${island}.js`, formats: ["es"], fileName: () => `${island}.js`, cssFileName: island },
    },
  });
}

const sources = ["build.js", "package.json", "package-lock.json", ...readdirSync("src").map((name) => `src/${name}`)];
const hash = createHash("sha256");
for (const path of sources.sort()) {
  hash.update(`${path}\n`);
  hash.update(readFileSync(path));
}
writeFileSync("../assets/islands/sources.sha256", `${hash.digest("hex")}\n`);
