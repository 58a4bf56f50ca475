import { encodeBase58Check } from '../../crypto/base58-check.js';
import { addressBytes } from '../../primitives/address.js';
import { toHex } from '../../primitives/bytes.js';
import { activeWitnesses } from '../../state-transition/consensus/schedule.js';
import { witnessKeyAddress } from '../../state-transition/state/permissions.js';
import type { GraphqlSource } from '../graphql/graphql-source.js';
import type { ActiveWitness } from './follow-lines.js';

/** Witnesses that may sign the blocks after the head. The list is computed once per head block. */
export class WitnessList {
  private readonly source: Pick<GraphqlSource, 'ledger' | 'at'>;
  private headId = '';
  private list: readonly ActiveWitness[] = [];

  constructor(source: Pick<GraphqlSource, 'ledger' | 'at'>) {
    this.source = source;
  }

  /** Returns the current list. Until the list changes, returns the same object. */
  current(): readonly ActiveWitness[] {
    const headId = toHex(this.source.ledger.position.headId);
    if (headId === this.headId) return this.list;
    this.headId = headId;
    const { state } = this.source.at();
    const list = activeWitnesses(state).map((witness) => {
      const account = state.account(witness);
      const address = addressBytes(witness);
      return {
        address: encodeBase58Check(address),
        signer: encodeBase58Check(account === undefined ? address : witnessKeyAddress(account)),
      };
    });
    if (JSON.stringify(list) !== JSON.stringify(this.list)) this.list = list;
    return this.list;
  }
}
