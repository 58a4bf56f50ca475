import { lookup } from 'node:dns/promises';
import { hostname } from 'node:os';
import { Backup } from '../../p2p/backup/backup-socket.js';
import { peerRelease } from '../../p2p/releases/releases.js';
import { errorText, UsageError } from '../../primitives/errors.js';
import type { TronicleNode } from '../lifecycle/node.js';
import { BackupMembers } from './backup-members.js';

/** Interval of DNS queries for the members, in ms. Reference: BackupManager.init. */
const LOOK_UP_PERIOD_MS = 60_000;

/**
 * Joins the group of `node.backup.members`, in which only the master produces blocks. Leaves the group when the node
 * closes. Without members or a port, this node is the master. Reference: BackupServer.initServer.
 * @throws {UsageError} the backup port is in use; java-tron would then produce blocks at the same time as the master
 */
export async function startBackup(node: TronicleNode): Promise<void> {
  const { config, log: nodeLog } = node;
  const { port, members, priority, keepAliveInterval } = config.node.backup;
  if (port <= 0 || members.length === 0) return;
  const log = nodeLog.child({ part: 'backup' });
  const ownHost = await ownAddress();
  const book = new BackupMembers(members, ownHost);
  await book.read();
  const others = book.addresses();
  const options = { port, members: others, ownHost, priority, intervalMs: keepAliveInterval, log, now: Date.now };
  try {
    const backup = await Backup.start(options);
    node.add(backup);
    if (book.hasNames && peerRelease(config.tronicle.release).followsMembers) {
      const timer = setInterval(() => {
        void book.read().then(() => backup.setMembers(book.addresses()));
      }, LOOK_UP_PERIOD_MS).unref();
      node.add({ close: async () => clearInterval(timer) });
    }
    node.isMaster = () => backup.role === 'master';
    log.info({ port, members: others, priority }, 'witness backup started');
  } catch (error) {
    const reason = errorText(error);
    if (config.witness.enabled) {
      throw new UsageError(
        `node.backup.port ${port} is not available (${reason}); free the port or set another port, otherwise several members of the backup group produce blocks`,
      );
    }
    log.warn({ port, reason }, 'witness backup not started');
  }
}

/**
 * Returns the IP address of this machine's host name; an empty text if it has none. Reference:
 * InetAddress.getLocalHost.
 */
async function ownAddress(): Promise<string> {
  return lookup(hostname()).then(
    ({ address }) => address,
    () => '',
  );
}
