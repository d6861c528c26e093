// Tries a target within wasm32 on random inputs for some time, without looking at what they reach:
// `node within.js MODULE TARGET MINUTES CRASHES FOLDER…`. The inputs are made of the files of the
// folders, all of which are tried first; one that fails is written to the folder of crashes.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [module, name, minutes, crashes, ...folders] = process.argv.slice(2);
const { Within } = createRequire(import.meta.url)(module);

const seeds = folders.flatMap((folder) =>
  readdirSync(folder).map((file) => new Uint8Array(readFileSync(join(folder, file)))),
);
const number = BigInt(Date.now());
console.log(`${name}, in wasm: ${seeds.length} inputs to begin with, number ${number}`);
const within = new Within(name, seeds, number);

let executions = 0;
/** Tries an input; ends the program where it fails. */
function run(input) {
  try {
    within.run(input);
  } catch (error) {
    const file = join(crashes, `${name}-${number}-${executions}`);
    writeFileSync(file, input);
    console.error(`${name}: failed on ${file}: ${error}`);
    process.exit(1);
  }
  executions += 1;
}

const begun = performance.now();
const seconds = () => (performance.now() - begun) / 1000;
for (const seed of seeds) run(seed);
while (seconds() < 60 * Number(minutes)) {
  // Some take less time than a look at the clock.
  for (let many = 0; many < 16; many += 1) run(within.input());
}
const rate = executions / seconds();
console.log(
  `${name}, in wasm: ${executions} executions in ${seconds().toFixed(0)} s, ${rate.toFixed(0)} a second`,
);
