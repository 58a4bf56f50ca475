import { UsageError } from '../../log/domain/errors.js';
/** Reference: BlockConfig.MAX_PROPOSAL_EXPIRE_TIME, ms. */
const PROPOSAL_LIFE_END = 31_536_003_000;
/** What releases ask of a file beyond its keys. */
const checks = {
    '4.8.2': [checkProposalLife],
};
/** @throws {UsageError} what the release does not start with */
export function checkForRelease(source, table) {
    for (const check of checks[table.tronicle.release] ?? [])
        check(source, table);
}
/** Reference: BlockConfig of release 4.8.2. */
function checkProposalLife(source, { block: { proposalExpireTime } }) {
    if (source.value('committee.proposalExpireTime') !== undefined) {
        throw new UsageError('It is not allowed to configure committee.proposalExpireTime in config.conf, ' +
            'please set the value in block.proposalExpireTime.');
    }
    if (proposalExpireTime > 0 && proposalExpireTime < PROPOSAL_LIFE_END)
        return;
    throw new UsageError(`The value[block.proposalExpireTime] is only allowed to be greater than 0 and less than ${PROPOSAL_LIFE_END}!`);
}
//# sourceMappingURL=release-checks.js.map