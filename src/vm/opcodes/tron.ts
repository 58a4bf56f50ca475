import { staticViolation } from '../../state-transition/vm-error.js';
import type { OpRun, Run } from './op-run.js';
import * as staking from './staking.js';

/** Operations on stake, votes and rewards. Reference: OperationActions. */
export const tron = {
  freeze: (run) => {
    if (run.machine.rules.vote) refuseStatic(run);
    const kind = run.pop();
    const amount = run.pop();
    const receiver = run.pop();
    // When stake 2.0 is enabled, the opcode remains valid, but always pushes 0.
    run.pushBoolean(!run.machine.rules.freezeV2 && staking.freezeOf(run.machine, run.frame, receiver, amount, kind));
  },
  unfreeze: (run) => {
    if (run.machine.rules.vote) refuseStatic(run);
    const kind = run.pop();
    run.pushBoolean(staking.unfreezeOf(run.machine, run.frame, run.pop(), kind));
  },
  freezeExpireTime: (run) => {
    const kind = run.pop();
    run.push(BigInt.asUintN(64, staking.freezeExpireTime(run.machine, run.frame, run.pop(), kind)));
  },
  voteWitness: (run) => {
    refuseStatic(run);
    const amountLength = run.popInt();
    const amountOffset = run.popInt();
    const witnessLength = run.popInt();
    const witnesses = { offset: run.popInt(), length: witnessLength };
    const amounts = { offset: amountOffset, length: amountLength };
    run.pushBoolean(staking.voteOf(run.machine, run.frame, witnesses, amounts));
  },
  withdrawReward: (run) => {
    refuseStatic(run);
    run.push(BigInt.asUintN(64, staking.withdrawRewardOf(run.machine, run.frame)));
  },
  freezeV2: (run) => {
    refuseStatic(run);
    const kind = run.pop();
    run.pushBoolean(staking.freezeV2Of(run.machine, run.frame, run.pop(), kind));
  },
  unfreezeV2: (run) => {
    refuseStatic(run);
    const kind = run.pop();
    run.pushBoolean(staking.unfreezeV2Of(run.machine, run.frame, run.pop(), kind));
  },
  cancelUnfreezing: (run) => {
    refuseStatic(run);
    run.pushBoolean(staking.cancelUnfreezingOf(run.machine, run.frame));
  },
  withdrawUnfrozen: (run) => {
    refuseStatic(run);
    run.push(BigInt.asUintN(64, staking.withdrawUnfrozenOf(run.machine, run.frame)));
  },
  delegate: (run) => changeDelegation(run, staking.delegateOf),
  undelegate: (run) => changeDelegation(run, staking.undelegateOf),
} satisfies Record<string, Run>;

function changeDelegation(run: OpRun, apply: typeof staking.delegateOf): void {
  refuseStatic(run);
  const kind = run.pop();
  const amount = run.pop();
  run.pushBoolean(apply(run.machine, run.frame, run.pop(), amount, kind));
}

function refuseStatic({ frame }: OpRun): void {
  if (frame.isStatic) throw staticViolation();
}
