import type { Flags } from '../../config/flags.js';
import { loadConfig, type NodeConfig } from '../../config/load-config.js';
import { NO_KEYS } from '../../config/witness.js';
import { UsageError } from '../../primitives/errors.js';
import { readArguments } from '../command-line/read-arguments.js';
import { checkClock } from '../doctor/clock-offset.js';
import { checkData, isInUse } from '../doctor/data.js';
import { type Finding, finding, type Level } from '../doctor/finding.js';
import {
  checkDiskSpeed,
  checkMemory,
  checkNode,
  checkOpenFiles,
  checkSignatures,
  checkSpace,
} from '../doctor/machine.js';
import { machineNeeds } from '../doctor/machine-needs.js';
import { checkPorts } from '../doctor/ports.js';
import { checkReadiness } from '../doctor/readiness.js';
import { checkSignedBlocks } from '../doctor/signed-blocks.js';
import type { Command } from './command.js';

/** Checks the machine and the configuration for problems of a node. The exit code is 1 if a finding is critical. */
export const doctor: Command = {
  run,
};

const NTP_SERVER = 'pool.ntp.org';
const WORDS: Readonly<Record<Level, string>> = { ok: 'ok', warn: 'warning', bad: 'CRITICAL', unknown: 'unknown' };

async function run(args: readonly string[]): Promise<number> {
  const { flags, options } = readArguments(args, 'doctor');
  const ntpServer = options.get('--ntp') ?? NTP_SERVER;
  const findings = await findingsFor(flags, ntpServer);
  process.stdout.write(options.has('--json') ? `${JSON.stringify(findings)}\n` : findings.map(lineOf).join(''));
  return findings.some(({ level }) => level === 'bad') ? 1 : 0;
}

/** Returns all findings. A configuration with which the node does not start is a critical finding. */
async function findingsFor(flags: Flags, ntpServer: string): Promise<Finding[]> {
  let config: NodeConfig;
  try {
    config = loadConfig({ flags }).config;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const remedy =
      flags.witness === true && error.message === NO_KEYS
        ? 'set localwitness or localwitnesskeystore, or start without --witness'
        : 'correct the configuration; until then, the node does not start, and doctor checks only the machine';
    const problem = finding('config', 'bad', error.message, remedy);
    return [problem, checkNode(), checkOpenFiles(), checkSignatures(), await checkClock(ntpServer)];
  }
  return checkAll(config, ntpServer);
}

async function checkAll(config: NodeConfig, ntpServer: string): Promise<Finding[]> {
  const dataDir = config.outputDirectory;
  const isRunning = await isInUse(dataDir);
  const needs = machineNeeds(config);
  return [
    checkNode(),
    checkMemory(needs),
    checkOpenFiles(),
    checkSignatures(),
    await checkSpace(needs, dataDir),
    checkDiskSpeed(dataDir),
    await checkClock(ntpServer),
    await checkPorts(config, isRunning),
    await checkData(dataDir, isRunning),
    ...(await checkReadiness(config, isRunning)),
    ...checkSignedBlocks(config),
  ];
}

function lineOf({ check, level, found, remedy }: Finding): string {
  return `${WORDS[level].padEnd(8)} ${check.padEnd(11)} ${found}${remedy === undefined ? '' : `\n${' '.repeat(21)}→ ${remedy}`}\n`;
}
