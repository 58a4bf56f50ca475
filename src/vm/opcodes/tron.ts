import type { OpRun } from '../interpreter/op-run.js';
import { staticViolation } from '../interpreter/vm-error.js';
import * as staking from './staking.js';

type Run = (run: OpRun) => void;

/** Stake, votes and rewards, by byte. Reference: OperationActions. */
export const tron: Readonly<Record<number, Run>> = {
  213: (run) => {
    if (run.machine.rules.vote) refuseStatic(run);
    const kind = run.pop();
    const amount = run.pop();
    const receiver = run.pop();
    // Stake 1.0 ended with stake 2.0; the opcode stayed.
    run.pushBoolean(!run.machine.rules.freezeV2 && staking.freezeOf(run.machine, run.frame, receiver, amount, kind));
  },
  214: (run) => {
    if (run.machine.rules.vote) refuseStatic(run);
    const kind = run.pop();
    run.pushBoolean(staking.unfreezeOf(run.machine, run.frame, run.pop(), kind));
  },
  215: (run) => {
    const kind = run.pop();
    run.push(BigInt.asUintN(64, staking.freezeExpireTime(run.machine, run.frame, run.pop(), kind)));
  },
  216: (run) => {
    refuseStatic(run);
    const amountLength = run.popInt();
    const amountOffset = run.popInt();
    const witnessLength = run.popInt();
    const witnesses = { offset: run.popInt(), length: witnessLength };
    const amounts = { offset: amountOffset, length: amountLength };
    run.pushBoolean(staking.voteOf(run.machine, run.frame, witnesses, amounts));
  },
  217: (run) => {
    refuseStatic(run);
    run.push(BigInt.asUintN(64, staking.withdrawRewardOf(run.machine, run.frame)));
  },
  218: (run) => {
    refuseStatic(run);
    const kind = run.pop();
    run.pushBoolean(staking.freezeV2Of(run.machine, run.frame, run.pop(), kind));
  },
  219: (run) => {
    refuseStatic(run);
    const kind = run.pop();
    run.pushBoolean(staking.unfreezeV2Of(run.machine, run.frame, run.pop(), kind));
  },
  220: (run) => {
    refuseStatic(run);
    run.pushBoolean(staking.cancelUnfreezingOf(run.machine, run.frame));
  },
  221: (run) => {
    refuseStatic(run);
    run.push(BigInt.asUintN(64, staking.withdrawUnfrozenOf(run.machine, run.frame)));
  },
  222: (run) => lend(run, staking.delegateOf),
  223: (run) => lend(run, staking.undelegateOf),
};

function lend(run: OpRun, apply: typeof staking.delegateOf): void {
  refuseStatic(run);
  const kind = run.pop();
  const amount = run.pop();
  run.pushBoolean(apply(run.machine, run.frame, run.pop(), amount, kind));
}

function refuseStatic({ frame }: OpRun): void {
  if (frame.isStatic) throw staticViolation();
}
