// A server whose history is on a PostgreSQL server: a temporary cluster on a local socket, if its programs are installed.
import { execFileSync } from "node:child_process";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { folder, serve, write } from "./project.js";
import { FILES } from "./gate.js";

/** The folder with the newest programs of the server. */
function programs() {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").map((name) => `/usr/lib/postgresql/${name}/bin`) : [];
  const path = (process.env.PATH ?? "").split(":");
  return [...versions.sort().reverse(), ...path].find((one) => existsSync(join(one, "initdb")));
}

/** Starts a cluster; null if its programs are not installed. */
function cluster(roots) {
  const bin = programs();
  if (!bin) return null;
  const root = folder("postgres");
  roots.push(root);
  const options = { stdio: ["ignore", "ignore", "pipe"], cwd: root };
  // The server refuses to be executed by root.
  if (process.getuid() === 0) {
    const id = (flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    Object.assign(options, { uid: id("-u"), gid: id("-g") });
    chownSync(root, options.uid, options.gid);
  }
  const data = join(root, "data");
  execFileSync(join(bin, "initdb"), ["-D", data, "-A", "trust", "-U", "axle", "-N", "-E", "UTF8", "--locale", "C"], options);
  // Its output stays open: a pipe would be waited for.
  const quiet = { ...options, stdio: "ignore" };
  execFileSync(join(bin, "pg_ctl"), ["-D", data, "start", "-w", "-s", "-o", `-c listen_addresses= -k ${root}`, "-l", join(root, "log")], quiet);
  return {
    location: `postgresql://axle@${encodeURIComponent(root)}/postgres`,
    stop: () => execFileSync(join(bin, "pg_ctl"), ["-D", data, "stop", "-w", "-s", "-m", "immediate"], quiet),
  };
}

/** Verifies a project with its history on a PostgreSQL server, and finds it again after a restart. */
export async function postgres({ program, roots, open, fail }) {
  const store = cluster(roots);
  if (!store) {
    console.log("browser: PostgreSQL skipped: its programs are not installed");
    return;
  }
  const root = folder("site");
  roots.push(root);
  write(root, FILES);
  let server = await serve(program, root, 0, ["--store", store.location]);
  let page = await open(server);
  try {
    await page.goto(`${server.origin}/properties`);
    await page.getByRole("button", { name: "Check all" }).click();
    await page.waitForURL(/\/tracker$/);
    await page.getByRole("link", { name: "violated: error sequence of safe" }).waitFor({ timeout: 120_000 });
    await page.context().close();
    await server.stop();
    server = await serve(program, root, 0, ["--store", store.location]);
    page = await open(server);
    await page.goto(`${server.origin}/tracker`);
    await page.getByRole("link", { name: "violated: error sequence of safe" }).click();
    await page.locator(".step").first().waitFor();
    if (existsSync(join(root, ".axle/history.db"))) fail("PostgreSQL: a history in a file was written");
    const run = await page.goto(`${page.url().replace(/#.*/, "").split("/").slice(0, -1).join("/")}`);
    if (/postgresql:\/\/axle/.test(await run.text())) fail("PostgreSQL: a page shows the address of the database");
    console.log("browser: PostgreSQL done");
  } catch (error) {
    fail(`PostgreSQL on ${page.url()}: ${error.message}`);
  } finally {
    await page.context().close();
    await server.stop();
    store.stop();
  }
}
