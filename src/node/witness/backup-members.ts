import { isIP } from 'node:net';
import { type LookUp, resolveHost } from '../peers/resolve-hosts.js';

/**
 * Addresses of a backup group's other members, some of which are configured by name.
 * Reference: BackupManager.refreshMemberIps.
 */
export class BackupMembers {
  private readonly members: readonly string[];
  private readonly ownHost: string;
  private readonly lookUp: LookUp | undefined;
  private readonly found = new Map<string, string>();

  constructor(members: readonly string[], ownHost: string, lookUp?: LookUp) {
    this.members = members;
    this.ownHost = ownHost;
    this.lookUp = lookUp;
  }

  get hasNames(): boolean {
    return this.members.some((member) => isIP(member) === 0);
  }

  /** Those that have an address, and are not this node. */
  addresses(): readonly string[] {
    return [...this.found.values()].filter((host) => host !== this.ownHost);
  }

  /** Looks all names up; one that has no address now keeps the one that it had. */
  async read(): Promise<void> {
    for (const member of this.members) {
      const address = await resolveHost(member, this.lookUp);
      if (address !== undefined) this.found.set(member, address);
    }
  }
}
