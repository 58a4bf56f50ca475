import { encodeBase58Check } from '../../../../src/crypto/base58-check.js';
import { addressBytes } from '../../../../src/primitives/address.js';
import { topicOf } from '../random-abi.js';
import type { Scene } from '../scene.js';

const KINDS = ['block', 'transaction', 'contractevent', 'contractlog', 'solidity', 'solidityevent', 'soliditylog'];

/** Returns a random section `event.subscribe` for an existing chain. It selects event kinds, format and filter. */
export function eventSection({ random, chain, logEmitters, state }: Scene, release: string): string {
  const isLate = random.chance(0.3);
  const isEth = random.chance(0.5);
  const isRedundant = random.chance(0.4);
  const isWhole = random.chance(0.6);
  const topics = KINDS.map((name) => {
    const isOn = isWhole || random.chance(0.7);
    const more = [
      ...((name === 'transaction' && isEth) || random.chance(0.05) ? ['ethCompatible = true'] : []),
      ...(isLate && random.chance(0.8) ? ['solidified = true'] : []),
      ...(isRedundant && random.chance(0.8) ? ['redundancy = true'] : []),
    ];
    return `    { ${[`triggerName = "${name}"`, `enable = ${isOn}`, `topic = "${name}"`, ...more].join(', ')} }`;
  });
  const version = release !== '4.7.2' && random.chance(0.5) ? 'version = 1' : 'version = 0';
  const { headNumber } = chain.ledger.position;
  const bound = (open: string): string =>
    random.chance(0.6)
      ? open
      : random.pick([String(random.below(headNumber)), String(random.below(headNumber)), '0', '-1', '-7', 'x1']);
  const list = (known: () => string): string[] =>
    random.chance(0.6)
      ? []
      : Array.from({ length: random.between(1, 3) }, () => (random.chance(0.9) ? known() : 'Unknown'));
  const inAnyCase = (text: string): string => (random.chance(0.9) ? text : text.toLowerCase());
  const addresses =
    logEmitters.length === 0 ? [] : list(() => inAnyCase(encodeBase58Check(addressBytes(random.pick(logEmitters)))));
  const entries = logEmitters.flatMap((logEmitter) => state.abis.get(logEmitter)?.entrys ?? []);
  const options =
    entries.length === 0
      ? []
      : list(() => (random.chance(0.1) ? '0x' : '') + topicOf(random.pick(entries)).toString(16).padStart(64, '0'));
  const filter = random.chance(0.6)
    ? ''
    : `\n  filter { fromblock = "${bound('')}", toblock = "${bound('latest')}", contractAddress = ${JSON.stringify(addresses)}, ` +
      `contractTopic = ${JSON.stringify(options)} }`;
  return `event.subscribe {
  enable = true, ${version}
  native { useNativeQueue = true, bindport = 5599, sendqueuelength = 1000 }
  path = "", server = "", dbconfig = "", contractParse = ${random.chance(0.9)}
  topics = [
${topics.join('\n')}
  ]${filter}
}`;
}
