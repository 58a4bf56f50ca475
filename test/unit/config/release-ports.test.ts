import t from 'tap';
import { apiRelease } from '../../../src/api/releases/releases.js';
import { readHoconText } from '../../../src/config/hocon/hocon.js';
import { configFrom } from '../../../src/config/load-config.js';
import { grpcServersOf, limitsOf } from '../../../src/node/serving/serve-grpc.js';
import { portsOf } from '../../../src/node/serving/serve-http.js';
import type { ServedNode } from '../../../src/node/serving/served-node.js';

const older = apiRelease('4.7.2');
const later = apiRelease('4.8.2');
const ALL = 'node { rpc { enable = false, solidityEnable = false, PBFTEnable = false }, http.PBFTEnable = false }';

function configOf(text: string) {
  return configFrom(readHoconText(`storage { }\ntronicle.release = "4.8.2"\n${text}`, 'test'), {}).config;
}

t.test('disables the ports of gRPC and of the PBFT state in releases that support it', async (t) => {
  const config = configOf(ALL);
  t.same(grpcServersOf(config, older), ['fullnode', 'solidity', 'pbft']);
  t.same(grpcServersOf(config, later), []);
  t.same(grpcServersOf(configOf('node.rpc.PBFTEnable = false'), later), ['fullnode', 'solidity']);
  const ports = (release: typeof later) => portsOf({ config, api: { settings: { release } } } as unknown as ServedNode);
  t.same(ports(older), { fullnode: 8090, solidity: 8091, pbft: 8092 });
  t.same(ports(later), { fullnode: 8090, solidity: 8091 });
  t.same(grpcServersOf(configOf(''), later), ['fullnode', 'solidity', 'pbft'], 'all servers by default');
});

t.test('reads a bound of 0 as unlimited since 4.8.2, and bounds resets by both keys', async (t) => {
  const { rpc } = configOf(
    'node.rpc { maxConcurrentCallsPerConnection = 0, maxConnectionIdleInMillis = 0, maxConnectionAgeInMillis = 5 }',
  ).node;
  t.match(limitsOf(rpc, older), { maxConcurrentCallsPerConnection: 0, maxConnectionIdleInMillis: 0 });
  const none = Number.MAX_SAFE_INTEGER;
  t.match(limitsOf(rpc, later), {
    maxConcurrentCallsPerConnection: none,
    maxConnectionIdleInMillis: none,
    maxConnectionAgeInMillis: 5,
    resets: undefined,
  });
  const reset = configOf('node.rpc { maxRstStream = 7, secondsPerWindow = 3 }').node.rpc;
  t.same(limitsOf(reset, later).resets, { max: 7, windowMs: 3000 });
  t.equal(limitsOf(reset, older).resets, undefined);
  t.equal(limitsOf({ ...reset, secondsPerWindow: 0 }, later).resets, undefined);
});
