import { Transaction } from '../../log/codec/generated/messages.js';
import { ProtobufError } from '../../log/codec/reader.js';
import { toAddress } from '../../log/domain/address.js';
import { fromHex, toHex } from '../../log/domain/bytes.js';
import { P2pError } from '../../p2p/p2p-error.js';
import { decodeBlock } from '../../vm/block/decoded-block.js';
import { activeWitnesses } from '../../vm/consensus/schedule.js';
import { ChainError } from '../../vm/errors.js';
import { witnessKeyAddress } from '../../vm/permissions.js';
import { recoverSigner, SIGNATURE_BYTES } from '../../vm/transactions/recover-signer.js';
import { checkBlockMessage, isBroadcastFirst, isKnown, PeerMessageError, readBlockMessage, readTransactionsMessage, receiveAnnounced, receiveSynced, receiveTransaction, } from '../chain/peer-messages.js';
import { Voters } from './voters.js';
/** The node's chain as the side of the peers sees it. */
export class LedgerChain {
    genesis;
    options;
    signers = new WeakMap();
    voters;
    hasReached = false;
    constructor(options) {
        this.options = options;
        this.genesis = this.idAt(0);
        this.voters = new Voters(options.chain);
    }
    close() {
        this.voters.close();
    }
    get head() {
        const { headNumber, headId } = this.options.chain.ledger.position;
        return { hex: toHex(headId), number: headNumber };
    }
    get branchHead() {
        const { idHex, number } = this.options.chain.recent.head;
        return { hex: idHex, number };
    }
    get solidified() {
        return this.idAt(this.options.chain.solidifiedNumber) ?? this.genesis;
    }
    get solidifiedTimeMs() {
        const { hex, number } = this.solidified;
        const { recent } = this.options.chain;
        return (recent.get(hex) ?? this.options.chain.storedBlock(number)).timeMs;
    }
    /** Reference: TronNetDelegate.isBlockUnsolidified. */
    get isUnsolidified() {
        const { chain, unsolidifiedMax } = this.options;
        return chain.ledger.position.headNumber - chain.solidifiedNumber >= (unsolidifiedMax ?? Number.POSITIVE_INFINITY);
    }
    /** The reference holds as many states as there are blocks above the solidified one, and one more. */
    get lowestUndoable() {
        return Math.max(0, this.options.chain.solidifiedNumber - 1);
    }
    idAt(number) {
        const id = this.options.chain.ledger.blockIdAt(number);
        return id && { hex: toHex(id), number };
    }
    isCanonical({ hex }) {
        return this.options.chain.ledger.numberOf(fromHex(hex)) !== undefined;
    }
    isKnown(id) {
        return isKnown(this.options.chain, id.hex);
    }
    branchOf({ hex }) {
        const { recent, ledger } = this.options.chain;
        const [branch] = refusing('HARD_FORKED', () => recent.branches(hex, toHex(ledger.position.headId)));
        const oldest = branch.at(-1);
        if (oldest === undefined)
            return [];
        const ids = branch.map(({ idHex, number }) => ({ hex: idHex, number }));
        return [...ids, { hex: oldest.parentIdHex, number: oldest.number - 1 }];
    }
    block(id) {
        const { recent, ledger } = this.options.chain;
        return recent.get(id.hex)?.bytes ?? (this.isCanonical(id) ? ledger.block(id.number)?.block : undefined);
    }
    activeWitnesses() {
        return activeWitnesses(this.options.chain.state);
    }
    votersOf(epochMs) {
        return this.voters.of(epochMs);
    }
    signerOf(hash, signature) {
        if (signature.length < SIGNATURE_BYTES)
            throw new ChainError('SignatureException', 'Could not decode base64');
        return toHex(recoverSigner(hash, signature, this.options.chain.state.rules.addressPrefix));
    }
    isSignedByWitness(addressHex, hash, signature) {
        const { state } = this.options.chain;
        const signer = this.signerOf(hash, signature);
        if (!state.properties.isOn('ALLOW_MULTI_SIGN'))
            return signer === addressHex;
        const account = state.account(toAddress(fromHex(addressHex)));
        return account !== undefined && signer === toHex(witnessKeyAddress(account));
    }
    transaction(idHex) {
        const { ledger } = this.options.chain;
        const place = ledger.transactionAt(fromHex(idHex));
        const stored = place && ledger.block(place.number);
        const found = stored && decodeBlock(stored.block).transactions[place.index];
        return found && Transaction.encode(found.message);
    }
    readBlock(bytes) {
        return refusing('PARSE_MESSAGE_FAILED', () => readBlockMessage(bytes, this.isFiltered));
    }
    readTransactions(bytes) {
        return refusing('PARSE_MESSAGE_FAILED', () => readTransactionsMessage(bytes, this.isFiltered));
    }
    checkBlock(block) {
        refusing('BAD_MESSAGE', () => checkBlockMessage(block, this.options.now()));
    }
    prepare(block) {
        if (block.transactions.length > 0)
            this.signers.set(block, this.options.signatures.prepare(block));
    }
    takeSynced(block) {
        if (this.isBehindTarget(block))
            return;
        const done = this.timed(block, true);
        try {
            refusing('BAD_BLOCK', () => receiveSynced(this.options.chain, block, this.pushOptions(block)));
            done();
        }
        catch (error) {
            done(error);
            throw error;
        }
    }
    takeAnnounced(block, announce) {
        const { chain, observer, now, log } = this.options;
        if (this.isBehindTarget(block))
            return 'failed';
        this.prepare(block);
        let stage = 'check';
        let isAnnounced = false;
        let done = () => undefined;
        const at = (next) => {
            stage = next;
            if (next === 'push')
                done = this.timed(block, false);
            isAnnounced = next === 'push' && isBroadcastFirst(chain, block);
            if (isAnnounced)
                announce();
        };
        try {
            const outcome = refusing('PARSE_MESSAGE_FAILED', () => receiveAnnounced(chain, block, now(), at, this.pushOptions(block)));
            if (outcome.result === 'dropped')
                return outcome.stage;
            done();
            if (!isAnnounced)
                announce();
            this.settle();
            return this.head.hex === block.idHex ? 'applied' : 'side';
        }
        catch (error) {
            done(error);
            if (!(error instanceof P2pError) || stage !== 'push')
                throw error;
            observer.refused(error.code, false);
            log.warn({ num: block.number, hash: block.idHex, reason: error.message }, 'an announced block is refused');
            this.settle();
            return 'failed';
        }
    }
    takeTransaction(transaction) {
        refusing('TRX_EXE_FAILED', () => receiveTransaction(this.options.chain, transaction));
    }
    settle() {
        const { chain, log } = this.options;
        chain.ledger.flush().catch((error) => log.error({ err: error }, 'blocks of peers could not be stored'));
        chain.pool.offerAgain();
    }
    /**
     * Told of a block's begin; one that came before does not count. @returns to be told of its end, with the error that was thrown
     */
    timed(block, isSynced) {
        const { observer } = this.options;
        if (this.isKnown({ hex: block.idHex, number: block.number }))
            return () => undefined;
        this.options.blockCame(block);
        const started = performance.now();
        if (!isSynced)
            observer.blockArrives(block);
        return (error) => {
            if (error === undefined)
                observer.blockTaken((performance.now() - started) / 1000, isSynced);
            else if (error instanceof P2pError)
                observer.blockFailed(block.number, error.message);
        };
    }
    get isFiltered() {
        return this.options.chain.state.properties.isOn('ALLOW_PROTO_FILTER_NUM');
    }
    pushOptions(block) {
        const findSigner = this.signers.get(block);
        return findSigner === undefined ? {} : { findSigner };
    }
    isBehindTarget(block) {
        if (this.hasReached)
            return true;
        if (this.isKnown({ hex: block.idHex, number: block.number }) || !this.options.target.isReachedBefore(block))
            return false;
        this.hasReached = true;
        this.options.targetReached();
        return true;
    }
}
/** What the rules refuse, in the words of the side of the peers. @throws {P2pError} */
function refusing(otherwise, work) {
    try {
        return work();
    }
    catch (error) {
        if (error instanceof PeerMessageError)
            throw new P2pError(error.type, error.message, { cause: error }); // its types are those of Refusal
        if (error instanceof ChainError || error instanceof ProtobufError)
            throw new P2pError(otherwise, error.message, { cause: error });
        throw error;
    }
}
//# sourceMappingURL=ledger-chain.js.map