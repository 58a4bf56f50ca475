import { TransactionRet } from '../../log/codec/generated/messages.js';
import { toHex } from '../../log/domain/bytes.js';
import { decodeBlock, hasRightMerkleRoot, merkleRoot } from '../../vm/block/decoded-block.js';
import { checkShieldedCount, executeBlock } from '../../vm/block/execute-block.js';
import { ChainError, unchecked } from '../../vm/errors.js';
import { State } from '../../vm/state/state.js';
import { DifferingBlocks } from './differing-blocks.js';
import { encodeInternalTransactions } from './internal-transactions.js';
import { PendingPool } from './pending-pool.js';
import { RecentBlocks } from './recent-blocks.js';
import { ReleaseWatch } from './release-watch.js';
import { isSignedByWitness } from './witness-signature.js';
/**
 * The chain: decides blocks, appends them to the log, follows the longest branch. The only writer of log and state.
 * Reference: Manager.pushBlock, switchFork, eraseBlock.
 */
export class Chain {
    ledger;
    state;
    recent;
    pool;
    executor;
    listeners = new Set();
    /** Sees the network leave the release that this node is. */
    watch;
    differing;
    switching = false;
    options;
    constructor(options) {
        const { ledger, rules, handlers, machine } = options;
        this.options = options;
        this.ledger = ledger;
        this.state = new State(ledger.head, rules);
        this.watch = new ReleaseWatch(this.state);
        this.executor = { chain: this.chainView(), handlers, machine, parentStateRoot: () => this.headStateRoot() };
        this.pool = new PendingPool(this.executor, this.state, options.pool);
        const { state, executor } = this;
        this.differing = new DifferingBlocks({ executor, state, ledger });
        this.recent = new RecentBlocks(this.storedBlock(ledger.position.headNumber));
        this.refillRecent();
    }
    /** Blocks are being replaced by those of a longer branch. */
    get isSwitching() {
        return this.switching;
    }
    /** The number that the rules hold for solidified; it can fall on a switch, unlike the log's. */
    get solidifiedNumber() {
        return this.state.properties.number('LATEST_SOLIDIFIED_BLOCK_NUM');
    }
    /**
     * Takes a block: executes it on the head, keeps it beside the recent ones, or follows its branch. What waited is queued again.
     * Durable after `ledger.flush()`. @throws {ChainError} a block that the network refuses
     */
    push(block, options = {}) {
        const { headNumber } = this.ledger.position;
        if (block.number <= headNumber && this.recent.get(block.idHex) !== undefined)
            return;
        const lap = createLap();
        const isVerified = this.pool.verifiedIn();
        const verified = new Set(block.transactions.filter(isVerified));
        this.pool.takeBack();
        let isOnHead;
        try {
            const reason = this.differing.came(block);
            if (reason !== undefined)
                this.tell((listener) => listener.leftBehind?.(reason));
            isOnHead = this.follow(block, options, verified);
        }
        finally {
            this.pool.requeue();
        }
        if (!isOnHead)
            return;
        this.pool.forgetChangedOwners();
        this.tell((listener) => listener.pushed?.(block, lap()));
    }
    /** Takes the newest block back; its transactions are not offered again. */
    erase() {
        this.pool.clear();
        this.takeBackHead();
        this.recent.pop();
    }
    /** Takes blocks back down to a height, below the solidified one too; the branch is then known as after a start there. */
    rollback(height) {
        this.pool.clear();
        while (this.ledger.position.headNumber > height)
            this.takeBackHead();
        this.recent = new RecentBlocks(this.storedBlock(height));
        this.refillRecent();
    }
    /** Account state root in the head's header; empty where it has none. */
    headStateRoot() {
        return this.storedBlock(this.ledger.position.headNumber).raw.accountStateRoot;
    }
    /** Rows that waiting transactions changed are not seen: a decoded canonical block of the log. */
    storedBlock(number) {
        return decodeBlock(this.ledger.block(number).block);
    }
    /** A block that another node decided is in the ledger; `isSwitching`: as part of a longer branch. Nothing is executed here. */
    followed(block, results, isSwitching) {
        if (isSwitching && !this.switching)
            this.tell((listener) => listener.forked?.(false));
        this.switching = isSwitching;
        this.state.reset();
        this.tell((listener) => listener.applied?.(block, results));
    }
    /** A block that another node took back is no longer in the ledger's chain. */
    unfollowed(block) {
        this.state.reset();
        this.tell((listener) => listener.reverted?.(block));
    }
    chainView() {
        const { ledger } = this;
        return {
            hasTransaction: (id) => ledger.hasTransaction(id),
            headId: () => ledger.position.headId,
            solidifiedId: () => ledger.blockIdAt(this.solidifiedNumber) ?? ledger.blockIdAt(0),
            recentBlockId: (low) => ledger.recentBlockId(low),
        };
    }
    follow(block, options, verified) {
        if (options.isOwn !== true)
            requireHash(block.raw.txTrieRoot);
        if (options.isOwn !== true && !hasRightMerkleRoot(block)) {
            const { merkleRoot: textOf } = this.state.rules.release.texts;
            const text = textOf(block.number, block.raw.txTrieRoot, merkleRoot(block.message.transactions));
            throw new ChainError('BadBlockException', text);
        }
        checkShieldedCount(block);
        requireHash(block.raw.parentHash);
        const { headNumber, headId } = this.ledger.position;
        const newest = this.recent.push(block);
        if (newest.number <= headNumber)
            return false;
        if (newest.parentIdHex !== toHex(headId)) {
            this.switchTo(newest, options);
            return false;
        }
        try {
            this.apply(newest, options, verified);
        }
        catch (error) {
            this.recent.remove(block.idHex);
            throw error;
        }
        return true;
    }
    switchTo(target, options) {
        this.switching = true;
        this.tell((listener) => listener.forked?.(false));
        try {
            this.replaceBranch(target, options);
        }
        catch (error) {
            this.tell((listener) => listener.forked?.(true));
            throw error;
        }
        finally {
            this.switching = false;
        }
    }
    replaceBranch(target, options) {
        const [branch, old] = this.branchesTo(target);
        for (const block of old) {
            this.takeBackHead();
            this.recent.pop();
            this.pool.undo(block);
        }
        for (const block of [...branch].reverse()) {
            try {
                this.checkBranchBlock(block);
                this.apply(block, options, new Set());
            }
            catch (error) {
                // Unchecked exceptions of the reference leave it where it stands; the next longer branch repairs that.
                if (error instanceof ChainError && error.checked)
                    this.switchBack(branch, old);
                throw error;
            }
        }
    }
    /** A witness's key may be another on this branch. @throws {ChainError} ValidateSignatureException */
    checkBranchBlock(block) {
        if (!this.state.rules.release.rules.verifiesBranchSignatures || isSignedByWitness(this.state, block))
            return;
        throw new ChainError('ValidateSignatureException', `switch fork: block ${block.number} signature invalid`);
    }
    branchesTo(target) {
        try {
            return this.recent.branches(target.idHex, toHex(this.ledger.position.headId));
        }
        catch (error) {
            for (let at = target; at !== undefined; at = this.recent.get(at.parentIdHex)) {
                this.recent.remove(at.idHex);
            }
            throw error;
        }
    }
    /** A block of the branch failed: the whole branch is forgotten, the old blocks are executed again. */
    switchBack(branch, old) {
        for (const { idHex } of branch)
            this.recent.remove(idHex);
        const oldHead = old[0];
        const ancestor = old.at(-1)?.parentIdHex;
        if (oldHead !== undefined)
            this.recent.setHead(oldHead);
        while (ancestor !== undefined && toHex(this.ledger.position.headId) !== ancestor) {
            const undone = this.storedBlock(this.ledger.position.headNumber);
            this.takeBackHead();
            this.recent.pop();
            this.pool.undo(undone);
        }
        for (const block of [...old].reverse())
            this.apply(block, {}, new Set());
    }
    apply(block, options, verified) {
        const { state, ledger } = this;
        const mark = state.mark();
        const lap = createLap();
        try {
            const outcome = executeBlock(this.executor, state, block, {
                isOwn: options.isOwn === true,
                isVerified: (transaction) => verified.has(transaction),
                onSigned: () => this.tell((listener) => listener.signed?.(lap())),
                onExecuted: (transaction) => this.tell((listener) => listener.executed?.(transaction, lap())),
                ...(options.findSigner === undefined ? {} : { findSigner: options.findSigner }),
            });
            this.recent.setCapacity(block.number - this.solidifiedNumber + 1);
            this.append(block, state.commit(), outcome);
            for (const listener of this.listeners)
                listener.applied?.(block, outcome.results);
            if (this.watch.concerns(block))
                this.tellNews();
        }
        catch (error) {
            if (ledger.position.headNumber !== block.number)
                state.revertTo(mark);
            state.trace = undefined;
            if (options.isOwn !== true && ledger.position.headNumber !== block.number)
                this.tellDiffering(block, error);
            throw error;
        }
    }
    tellDiffering(block, error) {
        const report = this.differing.examine(block, error);
        if (report === undefined)
            return;
        this.tell((listener) => listener.differs?.(report));
        const reason = this.watch.whyRefused(block);
        if (reason !== undefined)
            this.tell((listener) => listener.leftBehind?.(reason));
    }
    /** What the operator should hear about the release that this node is. */
    tellNews() {
        const news = this.watch.news();
        if (news !== undefined)
            this.tell((listener) => listener.outdated?.(news));
    }
    tell(say) {
        for (const listener of this.listeners)
            say(listener);
    }
    append(block, changes, outcome) {
        const { ledger } = this;
        const number = this.solidifiedNumber;
        const solidifiedId = number === block.number ? block.id : ledger.blockIdAt(number);
        showInternalTransactions(outcome, this.options.internalTransactions);
        ledger.append({
            number: block.number,
            id: block.id,
            parentId: ledger.position.headId,
            bytes: block.bytes,
            results: block.transactions.length === 0 ? new Uint8Array(0) : TransactionRet.encode(outcome.results),
            transactionIds: block.transactions.map(({ id }) => id),
            changes,
            internalTransactions: encodeInternalTransactions(outcome.internalTransactions),
            solidified: { number, id: solidifiedId },
            oldestReachable: this.recent.lowest,
        });
    }
    takeBackHead() {
        const block = this.storedBlock(this.ledger.position.headNumber);
        this.ledger.revert();
        this.state.reset();
        for (const listener of this.listeners)
            listener.reverted?.(block);
    }
    /** After a start the reference knows only its head; here the blocks below it are still in the log. */
    refillRecent() {
        const { headNumber } = this.ledger.position;
        this.recent.setCapacity(headNumber - this.solidifiedNumber + 1);
        // No block at or below the begin of the log can be taken back, so no branch begins there.
        const lowest = Math.max(this.ledger.beginNumber, headNumber - (headNumber - this.solidifiedNumber + 1));
        for (let number = headNumber - 1; number >= lowest; number--)
            this.recent.addOlder(this.storedBlock(number));
    }
}
/** Seconds since the last question. */
function createLap() {
    let lastMs = performance.now();
    return () => {
        const startedMs = lastMs;
        lastMs = performance.now();
        return (lastMs - startedMs) / 1000;
    };
}
/** Reference: Sha256Hash.wrap, unchecked. */
function requireHash(bytes) {
    if (bytes.length !== HASH_BYTES)
        throw unchecked('IllegalArgumentException');
}
const HASH_BYTES = 32;
function showInternalTransactions({ results, internalTransactions }, shown) {
    if (shown === 'none')
        return;
    results.transactioninfo.forEach((info, at) => {
        const all = internalTransactions[at];
        info.internalTransactions = all.filter(({ note }) => shown === 'all' || PLAIN_NOTES.has(Buffer.from(note).toString()));
    });
}
/** Kinds that are shown without `vm.saveFeaturedInternalTx`. */
const PLAIN_NOTES = new Set(['call', 'create', 'suicide']);
//# sourceMappingURL=chain.js.map