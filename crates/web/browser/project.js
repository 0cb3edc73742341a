// Projects for the browser tests, and servers for them.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A temporary folder. */
export function folder(name) {
  return mkdtempSync(join(tmpdir(), `axle-browser-${name}-`));
}

/** Executes axle; the exit codes 0, 1 and 3 are results. */
export function axle(program, args, cwd) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    child.stdout.on("data", (data) => { text += data; });
    child.stderr.on("data", (data) => { text += data; });
    child.on("error", fail);
    child.on("close", (code) => ([0, 1, 3].includes(code) ? done(text) : fail(new Error(`axle ${args.join(" ")}: ${code}\n${text}`))));
  });
}

/** Writes files below a folder. */
export function write(root, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A project without properties. */
export function empty() {
  const root = folder("empty");
  write(root, { "axle.toml": 'name = "new-project"\n\n[sources]\npromela = ["model.pml"]\n', "model.pml": "init { skip }\n", "properties/.keep": "" });
  return root;
}

/** A project with errors. */
export function broken() {
  const root = folder("broken");
  write(root, {
    "axle.toml": 'name = "broken"\n\n[sources]\npromela = ["model.pml"]\nmodell = 1\n',
    "model.pml": "init { skip }\n",
    "properties/one.md": '+++\nname = "one"\nformula = "[] (p -> <> q"\nreference = "none.md#part"\n+++\n\nText.\n',
  });
  return root;
}

/** The example of the repository. */
export function exchange(repository) {
  const root = folder("exchange");
  cpSync(join(repository, "examples/exchange"), root, { recursive: true });
  return root;
}

/** Compiles a fault into the example. */
export function inject(root, fault) {
  const manifest = join(root, "axle.toml");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace('define = ["PROVISIONED"]', `define = ["PROVISIONED", "${fault}"]`));
}

/** Starts a server and returns its address with the token. */
export async function serve(program, root, port = 0, options = []) {
  const child = spawn(program, ["serve", root, "--listen", `127.0.0.1:${port}`, "--quiet", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((done, fail) => {
    let text = "";
    child.stdout.on("data", (data) => { text += data; if (text.includes("\n")) done(text.trim()); });
    child.on("close", (code) => fail(new Error(`axle serve ended with ${code}`)));
  });
  return { url, origin: new URL(url).origin, pid: child.pid, stop: () => new Promise((done) => { child.on("close", done); child.kill("SIGINT"); }) };
}

/** Waits until the server has read the project. */
export async function ready(page, server) {
  await page.goto(server.url);
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const project = await page.evaluate(async () => (await fetch("/api/project")).json());
    if (project.generation > 0) return project;
    await page.waitForTimeout(200);
  }
  throw new Error("the project was not read within two minutes");
}

/** Removes folders that `folder` made, and nothing else. */
export function remove(roots) {
  if (!Array.isArray(roots)) throw new Error("remove takes a list of folders");
  for (const root of roots) {
    if (!root.startsWith(join(tmpdir(), "axle-browser-"))) throw new Error(`${root} is no folder of a browser test`);
    rmSync(root, { recursive: true, force: true });
  }
}
