import { isIP } from 'node:net';
import { type LookUp, resolveHost } from '../peers/resolve-hosts.js';

/**
 * IP addresses of the other members of a backup group. A member may be configured by host name. Reference:
 * BackupManager.refreshMemberIps.
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

  /** Returns the resolved addresses without the address of this node. */
  addresses(): readonly string[] {
    return [...this.found.values()].filter((host) => host !== this.ownHost);
  }

  /** Resolves all host names. If a name cannot be resolved, its previous address remains. */
  async read(): Promise<void> {
    for (const member of this.members) {
      const address = await resolveHost(member, this.lookUp);
      if (address !== undefined) this.found.set(member, address);
    }
  }
}
