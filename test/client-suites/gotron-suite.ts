import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf } from './account-bank.js';
import { WITNESS_KEY } from './foreign-network.js';
import { untilHeight } from './head-number.js';
import { readGoTest } from './reports.js';
import { runLogged, type Suite } from './suite.js';

const MODULE = 'github.com/fbsobreira/gotron-sdk';
/**
 * Height at which the suite starts. Its tests need transactions in blocks that are ten or more below the head. At this
 * height, these are the transactions that set up the network (blocks 4 to 10). Those of block 0 cannot be queried.
 */
const HEIGHT = 25;
/** File of the suite with constants for the Nile test network. */
const CONSTANTS = 'pkg/client/integration_helper_test.go';

/**
 * The tests of gotron-sdk: those that need no node, and those with the tag `integration`, which were written for Nile.
 * They run with `go test` over gRPC. An overlay replaces the file of constants by one with the values of this network.
 */
export const gotronSuite: Suite = {
  name: 'gotron',
  version: '0.25.0',
  source: { kind: 'go', module: MODULE, manifest: fileURLToPath(new URL('../system/clients/go', import.meta.url)) },
  run: async ({ folder, logFile, gatewayPort, grpcPort, likeness }) => {
    await untilHeight(gatewayPort, HEIGHT);
    const overlay = join(folder, 'overlay.json');
    const [original, own] = [join(folder, CONSTANTS), join(folder, 'constants.go.txt')];
    const values = {
      nileEndpoint: `127.0.0.1:${grpcPort}`,
      nileTestAddress: likeness.others[0],
      nileTestAddress2: likeness.others[1],
      nileTestWitnessAddress: addressOf(WITNESS_KEY),
      nileTestAccountAddress: likeness.staker,
      nileUSDTContract: likeness.dollars,
    };
    writeFileSync(own, withValues(readFileSync(original, 'utf8'), values));
    writeFileSync(overlay, JSON.stringify({ Replace: { [original]: own } }));
    const { stdout } = await runLogged(logFile, {
      command: 'go',
      args: ['test', '-json', '-count=1', '-tags=integration', `-overlay=${overlay}`, '-timeout=20m', './...'],
      cwd: folder,
      env: { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', GOTOOLCHAIN: 'auto' },
    });
    return readGoTest(stdout, MODULE);
  },
};

/**
 * Replaces the values of constants.
 * @throws {Error} a constant does not exist, because the suite has another version
 */
function withValues(text: string, values: Readonly<Record<string, string>>): string {
  let changed = text;
  for (const [name, value] of Object.entries(values)) {
    const place = new RegExp(`(?<=\\b${name}\\s+= ")[^"]*`);
    if (!place.test(changed)) throw new Error(`${CONSTANTS} has no ${name}`);
    changed = changed.replace(place, value);
  }
  return changed;
}
